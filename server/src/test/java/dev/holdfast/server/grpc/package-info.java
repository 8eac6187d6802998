@NullMarked
package dev.holdfast.server.grpc;

import org.jspecify.annotations.NullMarked;
