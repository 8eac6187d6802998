@NullMarked
package dev.holdfast.server.propose;

import org.jspecify.annotations.NullMarked;
