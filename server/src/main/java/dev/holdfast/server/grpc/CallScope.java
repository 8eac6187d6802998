package dev.holdfast.server.grpc;

import dev.holdfast.server.access.Caller;
import io.netty.channel.EventLoop;

/** Who makes a call, and the event loop that everything about the call is confined to. */
record CallScope(Caller caller, EventLoop loop) {}
