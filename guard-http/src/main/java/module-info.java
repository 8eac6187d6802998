/** Fencing tokens in headers of HTTP and gRPC. */
module dev.holdfast.guard.http {
    requires transitive dev.holdfast.guard;
    requires static transitive jakarta.servlet;
    requires static transitive io.grpc;
    requires static transitive java.net.http;
    requires static transitive org.jspecify;

    exports dev.holdfast.guard.http;
    exports dev.holdfast.guard.grpc;
}
