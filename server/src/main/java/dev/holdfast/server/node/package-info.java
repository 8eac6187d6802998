/** The one construction of a node, over the ports that make it a server's, an embedded, a simulated or a test's node. */
@NullMarked
package dev.holdfast.server.node;

import org.jspecify.annotations.NullMarked;
