/** Guards of services: fencing tokens in the headers of HTTP requests and gRPC calls. */
module dev.holdfast.guard.service {
    requires transitive dev.holdfast.guard;
    requires static transitive jakarta.servlet;
    requires static transitive io.grpc;
    requires static transitive java.net.http;
    requires static transitive org.jspecify;

    exports dev.holdfast.guard.http;
    exports dev.holdfast.guard.grpc;
}
