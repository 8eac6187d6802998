package dev.holdfast.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandWordsTest {
    private static final LeaseId LEASE = new LeaseId(0x123456789abcdef0L);
    private static final LockKey KEY = LockKey.of("a");

    private static final Map<Command, String> WORDS = Map.ofEntries(
            Map.entry(
                    new Command.GrantLease(LEASE, "", "ann", 10_000, 2_000),
                    "lease …def0 begins for \"ann\", ttl 10s, lock-delay 2.0s"),
            Map.entry(Command.ExtendLease.by(LEASE, "", 60_000), "lease …def0 is extended by 1m"),
            Map.entry(new Command.ExtendLease(LEASE, "", 0, 60_000, 7), "lease …def0 is to last for another 1m"),
            Map.entry(new Command.RevokeLease(LEASE, ""), "lease …def0 is ended"),
            Map.entry(
                    Command.Acquire.of(
                                    LEASE,
                                    "",
                                    3,
                                    1,
                                    List.of(
                                            Item.shared(KEY),
                                            Item.subtree(KEY, Mode.EXCLUSIVE),
                                            Item.permits(KEY, 4, 2)))
                            .waiting(Command.WAIT_FOREVER),
                    "lease …def0 asks for shared a and the tree a and 2 of 4 permits of a, request 3, waits"),
            Map.entry(
                    new Command.Upgrade(LEASE, "", 3, 1, KEY, 7, 0, 500),
                    "lease …def0 upgrades a, token 7, waits 500ms"),
            Map.entry(new Command.Downgrade(LEASE, "", KEY, 7), "lease …def0 downgrades a, token 7"),
            Map.entry(
                    new Command.Describe(LEASE, "", KEY, 7, Metadata.NONE),
                    "lease …def0 changes the metadata of a, token 7"),
            Map.entry(new Command.Release(LEASE, "", KEY, 7, 1), "lease …def0 releases a, token 7"),
            Map.entry(new Command.Cancel(LEASE, "", 3, 1), "lease …def0 cancels request 3"),
            Map.entry(new Command.ForceRelease(KEY, 7, "ann", "stuck"), "\"ann\" takes a away from token 7: \"stuck\""),
            Map.entry(new Command.SetLimit(Limit.LEASES, 5), "limit LEASES is set to 5"),
            Map.entry(new Command.RaiseFeatureLevel(2), "feature level is raised to 2"));

    @Test
    void every_command_has_words_that_keep_the_leases_secret() {
        WORDS.forEach((command, words) ->
                assertThat(CommandWords.of(command)).isEqualTo(words).doesNotContain("12345678"));
        assertThat(WORDS.keySet().stream().map(Object::getClass).distinct()).hasSize(12);
    }
}
