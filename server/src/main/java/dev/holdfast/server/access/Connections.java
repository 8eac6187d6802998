package dev.holdfast.server.access;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of a port. When there are too many, the oldest that has not asked anything yet is closed: so a
 * crowd that only connects keeps nobody out who has something to ask.
 */
public final class Connections {
    /** For the log, snapshots, connections between members and whatever the JVM opens. */
    private static final int OTHER_FILES = 256;

    private static final int OTHER_SHARE = 16;

    /** Fewer would be no service. */
    private static final int FEWEST = 64;

    private final int most;
    private final Set<Channel> silent = new LinkedHashSet<>();
    private int open;

    public Connections(int most) {
        this.most = most;
    }

    /**
     * How many connections this process can have, for each is an open file.
     *
     * @param wanted how many it may have, if there are files enough
     * @throws IllegalStateException if there are so few that nobody could be served
     */
    public static int possible(int wanted) {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        if (system instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
            return possible(wanted, unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount());
        }
        return wanted;
    }

    static int possible(int wanted, long files, long used) {
        long left = files - used - OTHER_FILES - files / OTHER_SHARE;
        if (left < Math.min(FEWEST, wanted)) {
            throw new IllegalStateException("this process may open " + files
                    + " files, which is too few to serve anybody: allow more (ulimit -n, or LimitNOFILE of systemd)");
        }
        return (int) Math.min(wanted, left);
    }

    /** Counts a connection that was just made, until it is closed. */
    void opened(Channel channel) {
        Channel victim;
        synchronized (this) {
            open++;
            silent.add(channel);
            victim = open > most ? oldestSilent() : null;
        }
        channel.closeFuture().addListener(closed -> closed(channel));
        if (victim != null) {
            close(victim);
        }
    }

    /** At once: on its usual way through all handlers, the one of HTTP/2 would take a second for a farewell. */
    private static void close(Channel victim) {
        ChannelHandlerContext first = victim.pipeline().firstContext();
        var unused = first == null ? victim.close() : first.close();
    }

    /** The connection has asked something. */
    synchronized void asked(Channel channel) {
        silent.remove(channel);
    }

    private synchronized void closed(Channel channel) {
        open--;
        silent.remove(channel);
    }

    /** Out of the set, so that each makes room once. */
    private @Nullable Channel oldestSilent() {
        Channel oldest = silent.iterator().next();
        silent.remove(oldest);
        return oldest;
    }
}
