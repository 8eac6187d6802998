package dev.holdfast.guard.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** Enough of a file's contents to tell them from others. */
record Contents(long length, long checksum) {
    static Contents of(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return new Contents(bytes.length, sum.getValue());
    }

    boolean areIn(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) != length) {
            return false;
        }
        CRC32C sum = new CRC32C();
        byte[] buffer = new byte[8_192];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sum.update(buffer, 0, read);
            }
        }
        return sum.getValue() == checksum;
    }
}
