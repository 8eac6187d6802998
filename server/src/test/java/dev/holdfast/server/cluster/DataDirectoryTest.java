package dev.holdfast.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who else can look into a node's directory: nobody, whatever the umask says. */
class DataDirectoryTest {
    @TempDir
    Path root;

    private static String permissions(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void a_new_directory_is_its_owners_alone() throws Exception {
        Path directory = root.resolve("data/n1");
        DataDirectory.open(directory, "n1").close();
        assertThat(permissions(directory)).isEqualTo("rwx------");
        DataDirectory.open(directory, "n1").close();
        assertThat(permissions(directory)).isEqualTo("rwx------");
    }

    @Test
    void so_is_one_that_is_restored() throws Exception {
        Path directory = root.resolve("n1");
        Iterator<byte[]> frames = List.of(new byte[] {1}).iterator();
        DataDirectory.restore(directory, "n1", frames);
        assertThat(permissions(directory)).isEqualTo("rwx------");
    }

    /** Somebody gave it those permissions, perhaps for backups. */
    @Test
    void one_that_is_there_keeps_its_permissions() throws Exception {
        Path directory = Files.createDirectory(
                root.resolve("n1"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
        DataDirectory.open(directory, "n1").close();
        assertThat(permissions(directory)).isEqualTo("rwxr-x---");
    }
}
