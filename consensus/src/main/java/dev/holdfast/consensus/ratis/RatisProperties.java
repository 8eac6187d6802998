package dev.holdfast.consensus.ratis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.LeaderElection;
import org.apache.ratis.server.RaftServerConfigKeys.Log;
import org.apache.ratis.server.RaftServerConfigKeys.Rpc;
import org.apache.ratis.server.RaftServerConfigKeys.Snapshot;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** The engine's settings, each with the reason where it is not the engine's own default. */
final class RatisProperties {
    /** Entries above this are refused; the engine's buffers are sized after it. */
    static final int LARGEST_ENTRY = 4 * 1024 * 1024 - 64 * 1024;

    private static final SizeInBytes APPENDER_BUFFER = SizeInBytes.valueOf("4MB");
    private static final SizeInBytes WRITE_BUFFER = SizeInBytes.valueOf("5MB");
    private static final long SMALLEST_SEGMENT = 64 * 1024;
    private static final long LARGEST_SEGMENT = 8 * 1024 * 1024;
    private static final long PREALLOCATED = 256 * 1024;
    private static final int STAGING_ELECTIONS = 5;
    /** Only tests set the property: they cannot wait for minutes. */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(
            Long.getLong("holdfast.test.longest-pause-ms", Duration.ofMinutes(5).toMillis()));

    private static final Duration RETRY_CACHE = Duration.ofMillis(500);

    private RatisProperties() {}

    static RaftProperties of(RatisSettings settings) {
        RaftProperties properties = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(
                properties, List.of(settings.directory().toFile()));
        times(properties, settings);
        log(properties, settings);
        snapshots(properties);
        RaftConfigKeys.Rpc.setType(properties, new SocketTransport());
        return properties;
    }

    private static void times(RaftProperties properties, RatisSettings settings) {
        Rpc.setTimeoutMin(properties, time(settings.electionMin()));
        Rpc.setTimeoutMax(properties, time(settings.electionMax()));
        LeaderElection.setPreVote(properties, true);
        // Two things in one: how long a leader that stepped down does not campaign, ten seconds by default; and the
        // longest pause, in a garbage collection for instance, after which it does not step down.
        LeaderElection.setLeaderStepDownWaitTime(properties, time(settings.electionMax()));
        // A joining member that does not answer for this long makes the change of members fail.
        RaftServerConfigKeys.setStagingTimeout(
                properties, time(settings.electionMax().multipliedBy(STAGING_ELECTIONS)));
        // A pause that is worth a line in the engine's log.
        RaftServerConfigKeys.setSleepDeviationThreshold(properties, time(settings.electionMax()));
        // A longer pause closes the engine for good; it is then reported as a failure.
        RaftServerConfigKeys.setCloseThreshold(properties, time(LONGEST_PAUSE));
        // Exactly-once is the replica's own doing: remembering replies here only costs memory.
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, time(RETRY_CACHE));
        // A leader's lease would answer reads that a newer leader has overtaken.
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, false);
    }

    private static void log(RaftProperties properties, RatisSettings settings) {
        long segment = Math.max(SMALLEST_SEGMENT, Math.min(LARGEST_SEGMENT, settings.snapshotAfterBytes() / 2));
        Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(segment));
        // What is allocated ahead is written by the next flush: more makes that flush slow.
        Log.setPreallocatedSize(properties, SizeInBytes.valueOf(Math.min(PREALLOCATED, segment)));
        Log.setSegmentCacheNumMax(properties, 2);
        Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf(2 * LARGEST_SEGMENT));
        Log.setWriteBufferSize(properties, WRITE_BUFFER);
        Log.Appender.setBufferByteLimit(properties, APPENDER_BUFFER);
        Log.setQueueElementLimit(properties, DurableDirectory.MAX_QUEUED_WRITES);
        Log.setForceSyncNum(properties, 1024);
        // Two threads more between an entry's arrival and its write otherwise, and the entry no longer under the door's
        // lock when it is appended.
        Log.setAppendEntriesComposeEnabled(properties, false);
        // These two would acknowledge before the entry is on disk.
        Log.setAsyncFlushEnabled(properties, false);
        Log.setUnsafeFlushEnabled(properties, false);
        // The other policy drops what it cannot read, acknowledged or not.
        Log.setCorruptionPolicy(properties, Log.CorruptionPolicy.EXCEPTION);
        // One more entry per round otherwise.
        Log.setLogMetadataEnabled(properties, false);
        // How far is decided by what taking a snapshot returns.
        Log.setPurgeUptoSnapshotIndex(properties, true);
        Log.setPurgeGap(properties, 1);
        Log.Appender.setWaitTimeMin(properties, TimeDuration.valueOf(1, TimeUnit.MILLISECONDS));
    }

    private static void snapshots(RaftProperties properties) {
        // The trigger counts entries, not bytes, and fires again on every round while one is being written.
        Snapshot.setAutoTriggerEnabled(properties, false);
        Snapshot.setTriggerWhenStopEnabled(properties, false);
        Snapshot.setTriggerWhenRemoveEnabled(properties, false);
        Snapshot.setCreationGap(properties, 1);
        // A leader that is a witness has no state to send: members are told, and fetch from a full one.
        Log.Appender.setInstallSnapshotEnabled(properties, false);
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
