package dev.holdfast.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where a process can be reached from outside, as the kernel tells it. */
final class OpenPorts {
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTENING = "0A";

    private OpenPorts() {}

    /** Such as {@code tcp 127.0.0.1:4600}: what listens, and every datagram socket, which takes packets as it is. */
    static Set<String> of(long pid) throws IOException {
        Set<String> own = sockets(pid);
        Set<String> open = new TreeSet<>();
        for (String protocol : List.of("tcp", "udp")) {
            for (String table : List.of(protocol, protocol + "6")) {
                for (String[] row : rows(pid, table)) {
                    boolean reachable = protocol.equals("udp") || row[STATE].equals(LISTENING);
                    if (reachable && own.contains(row[INODE])) {
                        open.add(protocol + " " + address(row[LOCAL]));
                    }
                }
            }
        }
        return open;
    }

    private static List<String[]> rows(long pid, String table) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "net", table)).stream()
                .skip(1)
                .map(line -> BLANKS.split(line.strip()))
                .toList();
    }

    private static Set<String> sockets(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path descriptor : descriptors.toList()) {
                Matcher socket = SOCKET.matcher(target(descriptor));
                if (socket.matches()) {
                    inodes.add(socket.group(1));
                }
            }
        }
        return inodes;
    }

    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
            return ""; // closed in between
        }
    }

    /** The kernel prints an address as words in the machine's own order. An IPv4 address in IPv6 form is given as IPv4. */
    private static String address(String printed) throws IOException {
        int colon = printed.indexOf(':');
        ByteBuffer words = ByteBuffer.wrap(HexFormat.of().parseHex(printed.substring(0, colon)));
        ByteBuffer bytes = ByteBuffer.allocate(words.capacity()).order(ByteOrder.nativeOrder());
        while (words.hasRemaining()) {
            bytes.putInt(words.getInt());
        }
        return InetAddress.getByAddress(bytes.array()).getHostAddress() + ":"
                + HexFormat.fromHexDigits(printed.substring(colon + 1));
    }
}
