package dev.holdfast.server.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads files again when they have changed.
 *
 * <p>By looking at them: what replaces certificates does so by renaming, by linking or by writing, on file systems
 * that tell of none of it. A change is taken once it has stood for a look, so that no half-written file is.
 */
public final class FileWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "holdfast-reload"));
    private final List<Watched> watched = new ArrayList<>();
    private final Duration period;

    public FileWatch(Duration period) {
        this.period = period;
    }

    /** What to do with files that have changed. */
    @FunctionalInterface
    public interface Reload {
        void run() throws IOException;
    }

    /**
     * Has files watched; before {@link #start}.
     *
     * @param what they are, for messages
     */
    public void add(String what, List<Path> files, Reload reload) {
        watched.add(new Watched(what, files, reload));
    }

    public void start() {
        if (!watched.isEmpty()) {
            var unused = executor.scheduleWithFixedDelay(
                    () -> watched.forEach(Watched::look), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    /** Files that are read together. */
    private static final class Watched {
        private final String what;
        private final List<Path> files;
        private final Reload reload;
        private List<Object> read;
        private List<Object> seen;

        Watched(String what, List<Path> files, Reload reload) {
            this.what = what;
            this.files = List.copyOf(files);
            this.reload = reload;
            this.read = state();
            this.seen = read;
        }

        void look() {
            List<Object> now = state();
            boolean stands = now.equals(seen);
            seen = now;
            if (!stands || now.equals(read)) {
                return;
            }
            read = now;
            try {
                reload.run();
                LOG.info("{} were read again: {}", what, files);
            } catch (IOException | RuntimeException e) {
                LOG.error("{} have changed and cannot be used, so the old ones stay: {}", what, e.getMessage());
            }
        }

        private List<Object> state() {
            List<Object> state = new ArrayList<>();
            for (Path file : files) {
                try {
                    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                    state.add(attributes.lastModifiedTime());
                    state.add(attributes.size());
                    state.add(String.valueOf(attributes.fileKey()));
                } catch (IOException e) {
                    state.add("missing");
                }
            }
            return state;
        }
    }
}
