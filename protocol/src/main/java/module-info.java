/** What crosses the wire: messages, services and the error table. */
module dev.holdfast.protocol {
    requires transitive com.google.protobuf;
    requires transitive io.grpc;
    requires transitive io.grpc.stub;
    requires com.google.common;
    requires io.grpc.protobuf;
    requires static transitive org.jspecify;

    exports dev.holdfast.protocol;
    exports dev.holdfast.protocol.v1;
}
