/** Who the nodes of a cluster are: identity, forming, joining, leaving, and who can be reached. */
@NullMarked
package dev.holdfast.server.cluster;

import org.jspecify.annotations.NullMarked;
