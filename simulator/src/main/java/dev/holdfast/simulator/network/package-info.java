/** A network between simulated processes: late, cut in one direction or both, breaking; and gRPC calls over it. */
@NullMarked
package dev.holdfast.simulator.network;

import org.jspecify.annotations.NullMarked;
