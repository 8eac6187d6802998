/** The Java client of Holdfast. */
module dev.holdfast.client {
    requires dev.holdfast.protocol;
    requires transitive io.grpc;
    requires io.grpc.netty.shaded;
    requires org.slf4j;
    requires static transitive micrometer.core;
    requires static transitive org.jspecify;

    exports dev.holdfast.client;
    exports dev.holdfast.client.api;
}
