/** What is done to a system while it is measured: one class per workload, the same for all systems. */
@NullMarked
package dev.holdfast.bench.side.workload;

import org.jspecify.annotations.NullMarked;
