/** The gRPC edge: calls and streams of clients, translated into commands, questions and watches. */
@NullMarked
package dev.holdfast.server.grpc;

import org.jspecify.annotations.NullMarked;
