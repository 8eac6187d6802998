package dev.holdfast.bench.side;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processor time of processes, as the kernel counts it. */
public final class CpuTime {
    /** What the kernel counts in: fixed in its interface on every architecture that Java runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER = 11;
    private static final int SYSTEM = 12;

    private CpuTime() {}

    /** Seconds that this process and some servers have used so far. */
    public static double withThisProcess(List<ServerProcess> servers) throws IOException {
        return ofServers(servers) + ofProcess(ProcessHandle.current().pid());
    }

    /** Seconds that servers have used so far. */
    public static double ofServers(List<ServerProcess> servers) throws IOException {
        double seconds = 0;
        for (ServerProcess server : servers) {
            seconds += ofProcess(server.pid());
        }
        return seconds;
    }

    /** Seconds that one process has used so far. */
    public static double ofProcess(long pid) throws IOException {
        return seconds(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
    }

    /** From a line of {@code /proc/PID/stat}; the name in it may hold anything but ends at the last bracket. */
    static double seconds(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) / TICKS_PER_SECOND;
    }
}
