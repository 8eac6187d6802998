package dev.holdfast.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Lets a node die as in a power cut: of its directory only that is left which it had flushed, names as well as bytes.
 *
 * <p>What was flushed is kept beside the node by a library in its process, {@code power.c}.
 */
final class PowerSupply {
    private final NodeProcess node;
    private final Path kept;

    /** To be given to a node before its first start. */
    PowerSupply(NodeProcess node, Path library) throws IOException {
        this.node = node;
        this.kept = Files.createDirectory(node.directory().resolveSibling(node.name() + ".kept"));
        Path root = Files.createDirectories(node.directory()).toRealPath();
        node.with(
                Map.of("LD_PRELOAD", library.toString(), "POWER_ROOT", root.toString(), "POWER_KEPT", kept.toString()));
    }

    /** Kills the process. The node must not be started before {@link #restore}. */
    void cut() throws InterruptedException {
        node.kill();
    }

    /** Makes the directory what the disk still has. */
    void restore() throws IOException {
        delete(node.directory());
        Files.createDirectory(node.directory());
        restore(node.directory(), "root");
        // The next process begins with what is there now.
        delete(kept);
        Files.createDirectory(kept);
    }

    private void restore(Path directory, String key) throws IOException {
        Path names = kept.resolve(key + ".names");
        if (!Files.exists(names)) {
            return;
        }
        for (String line : Files.readAllLines(names)) {
            String[] fields = line.split(" ", 3);
            Path target = directory.resolve(fields[2]);
            Path content = kept.resolve(fields[1] + ".file");
            if (fields[0].equals("d")) {
                Files.createDirectory(target);
                restore(target, fields[1]);
            } else if (Files.exists(content)) {
                Files.copy(content, target);
            } else {
                Files.createFile(target);
            }
        }
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
