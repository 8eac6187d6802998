package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.LogException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The term of the last start, so that the next one begins a later one. */
record TermFile(Path path) {
    static TermFile in(Path directory) {
        return new TermFile(directory.resolve("term"));
    }

    /** 0 before the first start. */
    long read() throws IOException {
        if (!Files.exists(path)) {
            return 0;
        }
        String text = Files.readString(path, StandardCharsets.ISO_8859_1).strip();
        if (!text.matches("[0-9]{1,18}")) {
            throw new LogException(path + " should hold a number, but holds \"" + text
                    + "\": restore the whole directory from a backup");
        }
        return Long.parseLong(text);
    }

    void write(long term) throws IOException {
        Path temporary = path.resolveSibling("term.tmp");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            Bytes.append(channel, StandardCharsets.ISO_8859_1.encode(term + "\n"));
            channel.force(true);
        }
        Directories.rename(temporary, path);
    }
}
