/** Tests of fencing tokens over gRPC. */
package dev.holdfast.guard.grpc;
