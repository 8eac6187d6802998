package dev.holdfast.simulator.log;

/** The newest snapshot that is flushed, and those on their way there. One that is not flushed has no name yet. */
final class SnapshotsFile {
    private final Writes<Written> writes;
    private Snapshot newest = Snapshot.NONE;

    private record Written(Snapshot snapshot, Runnable then) {}

    SnapshotsFile(Medium medium) {
        this.writes = new Writes<>(medium, this::reach, () -> {});
    }

    private void reach(Written written) {
        if (written.snapshot().index() > newest.index()) {
            newest = written.snapshot();
        }
        written.then().run();
    }

    Snapshot newest() {
        return newest;
    }

    /**
     * Writes one.
     *
     * @param then done when it is flushed
     */
    void write(Snapshot snapshot, Runnable then) {
        writes.add(new Written(snapshot, then));
    }

    /** What a process that died was writing is thrown away. */
    void open() {
        writes.drop();
    }

    void losePower() {
        writes.lose();
    }
}
