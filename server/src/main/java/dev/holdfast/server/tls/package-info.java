/** Certificates: what a node shows, whom it believes, and how both change while it runs. */
@NullMarked
package dev.holdfast.server.tls;

import org.jspecify.annotations.NullMarked;
