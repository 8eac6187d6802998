/** What a node counts, for dashboards and alerts. */
@NullMarked
package dev.holdfast.server.metrics;

import org.jspecify.annotations.NullMarked;
