/** What is wrong with a cluster, why it matters, and what to do. */
@NullMarked
package dev.holdfast.cli.doctor;

import org.jspecify.annotations.NullMarked;
