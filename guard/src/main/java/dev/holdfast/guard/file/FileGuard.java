package dev.holdfast.guard.file;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.FencingGuard;
import dev.holdfast.guard.GuardBusyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/**
 * A guard that keeps its marks in a directory, one file for each key: for anything that several processes of one
 * machine share, or that survives a restart.
 *
 * <p>One access to a key is inside at a time. A process that is stopped while it is inside keeps the others out until
 * it wakes up or ends.
 */
public final class FileGuard implements FencingGuard {
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(30);

    /** As long as file names may be, with room for the ending. */
    private static final int NAME_BYTES = 240;

    private final Path directory;
    private final Duration patience;

    /**
     * Guards with what is in a directory, which is created if necessary.
     *
     * @throws IOException if it cannot be made
     */
    public FileGuard(Path directory) throws IOException {
        this(directory, DEFAULT_PATIENCE);
    }

    /**
     * Guards with what is in a directory, which is created if necessary.
     *
     * @param patience how long an access waits for another one to leave
     * @throws IOException if it cannot be made
     */
    public FileGuard(Path directory, Duration patience) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.patience = patience;
    }

    @Override
    public Entry enter(Access access) {
        return enter(access, entry -> entry);
    }

    /**
     * Enters and does something inside.
     *
     * @throws GuardBusyException if another access is inside, and does not leave in time
     * @throws UncheckedIOException if the mark cannot be written; then nothing is done
     */
    @Override
    public <T, X extends Exception> T enter(Access access, Body<T, X> body) throws X {
        FileTurn turn = io(access, () -> FileTurn.await(file(access.key()), access, patience));
        try {
            MarkFile marks = io(access, () -> turn.marks(access.key()));
            marks.check(access);
            Entry entry = marks.marks().enter(access).orRefuse(access).entry();
            // The number of a write counts once it is done.
            raise(marks, access.unnumbered());
            T result = body.run(entry);
            raise(marks, access);
            return result;
        } finally {
            io(access, () -> {
                turn.close();
                return turn;
            });
        }
    }

    private static void raise(MarkFile marks, Access access) {
        io(access, () -> {
            marks.keep(marks.marks().enter(access).orRefuse(access).marks(), Pending.NOTHING);
            return marks;
        });
    }

    private interface Io<T> {
        T run() throws IOException;
    }

    private static <T> T io(Access access, Io<T> step) {
        try {
            return step.run();
        } catch (IOException e) {
            throw new UncheckedIOException("key '" + access.key() + "' cannot be guarded: " + e.getMessage(), e);
        }
    }

    private Path file(String key) {
        String name = URLEncoder.encode(key, StandardCharsets.UTF_8).replace("*", "%2A");
        // Should two names meet, the key inside the file tells them apart.
        String unique = name.length() <= NAME_BYTES
                ? name
                : UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString();
        return directory.resolve(unique + ".marks");
    }
}
