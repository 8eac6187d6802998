package dev.holdfast.testports;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers whose address must be known before they listen, and that listen there again after a restart.
 *
 * <p>They are below those that the kernel gives to connections and to whoever asks for any port: one of these may be
 * somebody else's a moment later, in this process or in another. Processes begin at places of their own, and none gives
 * a port twice.
 */
public final class TestPorts {
    private static final int FIRST = 10_000;
    private static final int COUNT = 22_000;

    /** How far apart two processes begin, whose ids are next to each other. */
    private static final int APART = 331;

    private static final AtomicInteger GIVEN = new AtomicInteger();

    private TestPorts() {}

    /** A port of loopback that nobody listens on. */
    public static int next() {
        return next(1);
    }

    /**
     * The first of several ports next to each other that nobody listens on.
     *
     * @param count how many
     */
    public static int next(int count) {
        while (true) {
            int first = first(count);
            if (areFree(first, count)) {
                return first;
            }
        }
    }

    private static int first(int count) {
        int given = GIVEN.getAndAdd(count);
        if (given > COUNT) {
            throw new IllegalStateException("this process was given " + given + " ports already");
        }
        long offset = ProcessHandle.current().pid() * APART + given;
        return FIRST + (int) (offset % COUNT);
    }

    private static boolean areFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (!socket.isBound()) {
                    return false;
                }
            } catch (IOException inUse) {
                return false;
            }
        }
        return true;
    }
}
