package dev.holdfast.simulator.log;

import dev.holdfast.simulator.world.World;
import org.jspecify.annotations.Nullable;

/**
 * What survives the death of a node: term and vote, log, snapshot, each in a file of its own.
 *
 * <p>What is written is in the page cache at once, and on the medium when a flush has ended, which is some time later
 * and in no order between the files. The death of the process leaves the page cache alone; a loss of power, and a flush
 * that fails, leave what is on the medium.
 */
public final class Disk {
    private final Medium medium;
    private final VoteFile votes;
    private final LogFile log;
    private final SnapshotsFile snapshots;
    private Snapshot snapshot = Snapshot.NONE;
    private Runnable flushed = () -> {};
    private Runnable failed = () -> {};

    public Disk(World world, DiskFaults faults) {
        this.medium = new Medium(world, faults, this::fail);
        this.votes = new VoteFile(medium, this::tell);
        this.log = new LogFile(medium, this::tell);
        this.snapshots = new SnapshotsFile(medium);
    }

    /** Begins with the state of a snapshot that another cluster made. */
    public static Disk restored(World world, DiskFaults faults, byte[] snapshot) {
        Disk disk = new Disk(world, DiskFaults.NONE);
        disk.votes.write(1, null);
        disk.snapshots.write(new Snapshot(0, 1, snapshot), () -> {});
        disk.medium.become(faults);
        return disk;
    }

    /**
     * A process begins to use it.
     *
     * @param whenFlushed told of every flush of the log or of a vote
     * @param whenFailed told that a flush failed
     */
    void open(Runnable whenFlushed, Runnable whenFailed) {
        flushed = whenFlushed;
        failed = whenFailed;
        snapshots.open();
        keepNewest();
    }

    private void tell() {
        flushed.run();
    }

    private void fail() {
        // Nobody knows what the page cache is worth now: it counts as lost.
        losePower();
        failed.run();
    }

    VoteFile votes() {
        return votes;
    }

    LogFile log() {
        return log;
    }

    SnapshotsFile snapshots() {
        return snapshots;
    }

    /** The one in use, behind which the log begins. */
    Snapshot snapshot() {
        return snapshot;
    }

    /** Takes the newest snapshot that is flushed into use. */
    void keepNewest() {
        if (snapshots.newest().index() > snapshot.index()) {
            snapshot = snapshots.newest();
            log.keepBehind(snapshot.index(), snapshot.term());
        }
    }

    /** Only what is on the medium is left, and of what was on its way there whatever chance leaves. */
    public void losePower() {
        votes.losePower();
        log.losePower();
        snapshots.losePower();
        keepNewest();
    }

    /** Has no flush end for a while. */
    public void stall(long nanos) {
        medium.stall(nanos);
    }

    /** Has the next flush fail, or not after all. */
    public void failNext(boolean fails) {
        medium.failNext(fails);
    }

    /** Nothing goes wrong with it any more. */
    public void heal() {
        medium.heal();
    }

    /** Writes term and vote. */
    void vote(long term, @Nullable String forWhom) {
        votes.write(term, forWhom);
    }

    long term() {
        return votes.term();
    }
}
