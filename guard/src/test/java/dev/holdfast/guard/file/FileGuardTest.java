package dev.holdfast.guard.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.StaleTokenException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Marks of any number of keys in a directory. */
@Timeout(60)
class FileGuardTest {
    @TempDir
    Path root;

    @Test
    void marks_of_each_key_survive_a_restart() throws Exception {
        FileGuard guard = new FileGuard(root.resolve("marks"));
        guard.enter(Access.exclusive("a/b", 34));
        guard.enter(Access.exclusive("..", 20));
        guard.enter(Access.permit("jobs", 40, 2).write(1));
        FileGuard restarted = new FileGuard(root.resolve("marks"));
        assertThatThrownBy(() -> restarted.enter(Access.exclusive("a/b", 33))).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> restarted.enter(Access.exclusive("..", 19))).isInstanceOf(StaleTokenException.class);
        assertThat(restarted.enter(Access.permit("jobs", 40, 2).write(1))).isEqualTo(Entry.REPEATED);
        assertThat(restarted.enter(Access.permit("jobs", 39, 1))).isEqualTo(Entry.NEW);
    }

    @Test
    void longest_keys_fit_and_are_told_apart() throws Exception {
        FileGuard guard = new FileGuard(root);
        String one = "ä".repeat(Access.MAX_KEY_BYTES / 2);
        String other = "ä".repeat(Access.MAX_KEY_BYTES / 2 - 1) + "ö";
        guard.enter(Access.exclusive(one, 34));
        guard.enter(Access.exclusive(other, 33));
        assertThatThrownBy(() -> guard.enter(Access.exclusive(one, 33))).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void what_fails_inside_fails_as_itself_and_its_number_does_not_count() throws Exception {
        FileGuard guard = new FileGuard(root);
        Access write = Access.exclusive("a", 33).write(1);
        IOException failure = new IOException("disk");
        assertThatThrownBy(() -> guard.enter(write, entry -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(guard.enter(write)).isEqualTo(Entry.NEW);
    }

    @Test
    void wait_for_another_access_inside_ends() throws Exception {
        FileGuard guard = new FileGuard(root, Duration.ofMillis(20));
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        FutureTask<Entry> inside = new FutureTask<>(() -> guard.enter(Access.exclusive("a", 33), entry -> {
            in.countDown();
            leave.await();
            return entry;
        }));
        new Thread(inside, "inside").start();
        in.await();
        assertThatThrownBy(() -> guard.enter(Access.exclusive("a", 34))).isInstanceOf(GuardBusyException.class);
        guard.enter(Access.exclusive("b", 34));
        leave.countDown();
        inside.get();
        guard.enter(Access.exclusive("a", 34));
    }

    @Test
    void directory_that_is_gone_lets_nobody_in() throws Exception {
        Path directory = root.resolve("marks");
        FileGuard guard = new FileGuard(directory);
        Files.delete(directory);
        assertThatThrownBy(() -> guard.enter(Access.exclusive("a", 33)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("'a'");
    }
}
