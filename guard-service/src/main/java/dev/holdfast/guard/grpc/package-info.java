/** Fencing tokens in headers of gRPC: an interceptor that compares them, and the client's side. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.guard.grpc;
