package dev.holdfast.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the command should print, kept in files; what differs from run to run is masked.
 *
 * <p>After a change on purpose, {@code -Dholdfast.golden=write} writes the files anew.
 */
final class DoctorOutput {
    private static final Path FILES = Path.of("src/test/resources/doctor");

    private DoctorOutput() {}

    /** Compares with the file of this name. */
    static void matches(String name, String output) throws IOException {
        Path file = FILES.resolve(name + ".txt");
        if (System.getProperty("holdfast.golden", "").equals("write")) {
            Files.createDirectories(FILES);
            Files.writeString(file, output);
        }
        assertThat(output).as(file.toString()).isEqualTo(Files.readString(file));
    }

    /** Addresses, ids, entry numbers, times and whoever happens to lead. */
    static String masked(String output) {
        return output.replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:PORT")
                .replaceAll("@[0-9a-f-]{36}", "@ID")
                .replaceAll("n\\d leads", "nX leads")
                .replaceAll("after entry \\d+", "after entry N")
                .replaceAll("\\d+ leases, \\d+ locks", "N leases, N locks");
    }
}
