package dev.holdfast.guard.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.StaleTokenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk without room. Needs the right to mount a small file system. */
@Timeout(60)
class FullDiskTest {
    private static final byte[] TOO_MUCH = new byte[256 * 1_024];

    @TempDir
    Path root;

    private Path small;

    @BeforeEach
    void mount() throws Exception {
        small = Files.createDirectory(root.resolve("small"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "holdfast-test", small.toString()) == 0);
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", small.toString());
    }

    @Test
    void write_for_which_there_is_no_room_leaves_the_file_as_it_was_and_the_mark_raised() throws Exception {
        Path data = small.resolve("data");
        GuardedFile file = new GuardedFile(data, "a");
        file.replace(Access.exclusive("a", 33), "before\n".getBytes(UTF_8));
        assertThatThrownBy(() -> file.append(Access.exclusive("a", 34), TOO_MUCH))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is as it was")
                .hasMessageContaining("space");
        assertThatThrownBy(() -> file.replace(Access.exclusive("a", 34), TOO_MUCH))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is as it was")
                .hasMessageContaining("space");
        assertThat(data).hasContent("before\n");
        assertThat(small.resolve("data.new")).doesNotExist();
        assertThatThrownBy(() -> file.read(Access.exclusive("a", 33))).isInstanceOf(StaleTokenException.class);
        file.append(Access.exclusive("a", 34), "after\n".getBytes(UTF_8));
        assertThat(data).hasContent("before\nafter\n");
    }

    @Test
    void nobody_is_let_in_while_there_is_no_room_for_the_marks() throws Exception {
        Path filling = small.resolve("filling");
        assertThatThrownBy(() -> Files.write(filling, TOO_MUCH)).isInstanceOf(IOException.class);
        Path data = small.resolve("data");
        assertThatThrownBy(() -> new GuardedFile(data, "a").replace(Access.exclusive("a", 33), new byte[] {1}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nobody is let in");
        assertThat(data).doesNotExist();
        Files.delete(filling);
        new GuardedFile(data, "a").replace(Access.exclusive("a", 33), new byte[] {1});
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
