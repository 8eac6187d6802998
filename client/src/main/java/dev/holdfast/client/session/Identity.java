package dev.holdfast.client.session;

import com.google.protobuf.ByteString;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/** Who this process is, for those who ask who holds a lock. */
public final class Identity {
    private static final int LONGEST_NAME = 100;

    private final String process;

    public Identity() {
        this.process = "host=" + host() + " process=" + ProcessHandle.current().pid() + " thread=";
    }

    /** Unique: threads are told apart within it. */
    public static String freshClientId() {
        return host() + "-" + ProcessHandle.current().pid() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
    }

    public ByteString metadata() {
        return ByteString.copyFromUtf8(
                process + shortened(Thread.currentThread().getName()));
    }

    private static String host() {
        try {
            return shortened(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }
}
