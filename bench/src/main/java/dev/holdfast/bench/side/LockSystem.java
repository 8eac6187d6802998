package dev.holdfast.bench.side;

/**
 * A lock service that can be measured: how its servers are started, found and used. Each has a constructor without
 * arguments.
 */
public interface LockSystem {
    /** The system of that class: a process that measures one has no other system on its class path. */
    static LockSystem named(String className) throws ReflectiveOperationException {
        return Class.forName(className)
                .asSubclass(LockSystem.class)
                .getConstructor()
                .newInstance();
    }

    /** The versions of server and client, for people. */
    String versions(Site site) throws Exception;

    /** Starts the servers, and returns when they serve. */
    Cluster start(Site site) throws Exception;

    /** A client as a program would use it: one for all its threads. */
    LockClient connect(String endpoints, Variant variant) throws Exception;

    /** The server whose end hurts most now. */
    ServerProcess leader(Cluster cluster) throws Exception;
}
