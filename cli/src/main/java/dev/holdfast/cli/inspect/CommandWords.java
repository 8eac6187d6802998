package dev.holdfast.cli.inspect;

import dev.holdfast.cli.output.Durations;
import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command;
import java.util.stream.Collectors;

/**
 * The commands of a log in words.
 *
 * <p>A lease's id is a secret of its client while it lives, so only the end of it is shown: enough to follow one.
 */
final class CommandWords implements Command.Cases<String> {
    private static final int SHOWN_DIGITS = 4;
    private static final CommandWords WORDS = new CommandWords();

    private CommandWords() {}

    static String of(Command command) {
        return command instanceof Command.OfLease ofLease
                ? lease(ofLease.lease()) + " " + command.match(WORDS)
                : command.match(WORDS);
    }

    static String lease(LeaseId lease) {
        String digits = "0".repeat(SHOWN_DIGITS) + lease;
        return "lease …" + digits.substring(digits.length() - SHOWN_DIGITS);
    }

    @Override
    public String grantLease(Command.GrantLease grant) {
        return "begins for \"" + grant.clientId() + "\", ttl " + Durations.text(grant.ttlMillis())
                + (grant.lockDelayMillis() == 0 ? "" : ", lock-delay " + Durations.text(grant.lockDelayMillis()))
                + (grant.principal().isEmpty() ? "" : ", principal \"" + grant.principal() + '"');
    }

    @Override
    public String extendLease(Command.ExtendLease extend) {
        return extend.ttlMillis() == 0
                ? "is extended by " + Durations.text(extend.additionalMillis())
                : "is to last for another " + Durations.text(extend.ttlMillis());
    }

    @Override
    public String revokeLease(Command.RevokeLease revoke) {
        return "is ended";
    }

    @Override
    public String upgrade(Command.Upgrade upgrade) {
        return "upgrades " + upgrade.key() + ", token " + upgrade.token() + waits(upgrade.waitMillis());
    }

    @Override
    public String downgrade(Command.Downgrade downgrade) {
        return "downgrades " + downgrade.key() + ", token " + downgrade.token();
    }

    @Override
    public String describe(Command.Describe describe) {
        return "changes the metadata of " + describe.key() + ", token " + describe.token();
    }

    @Override
    public String release(Command.Release release) {
        return "releases " + release.key() + (release.token() == 0 ? "" : ", token " + release.token());
    }

    @Override
    public String cancel(Command.Cancel cancel) {
        return "cancels request " + cancel.seq();
    }

    @Override
    public String forceRelease(Command.ForceRelease forced) {
        return "\"" + forced.by() + "\" takes " + forced.key() + " away from token " + forced.token() + ": \""
                + forced.reason() + '"';
    }

    @Override
    public String setLimit(Command.SetLimit limit) {
        return "limit " + limit.limit() + " is set to " + limit.value();
    }

    @Override
    public String raiseFeatureLevel(Command.RaiseFeatureLevel raise) {
        return "feature level is raised to " + raise.level();
    }

    @Override
    public String acquire(Command.Acquire acquire) {
        return "asks for " + acquire.items().stream().map(CommandWords::of).collect(Collectors.joining(" and "))
                + (acquire.seq() == 0 ? "" : ", request " + acquire.seq())
                + waits(acquire.waitMillis())
                + (acquire.maxHoldMillis() == 0 ? "" : ", holds at most " + Durations.text(acquire.maxHoldMillis()))
                + (acquire.purpose().isEmpty() ? "" : ", purpose \"" + acquire.purpose() + '"');
    }

    private static String of(Item item) {
        String key = item.key().toString();
        String shared = item.mode() == Mode.SHARED ? "shared " : "";
        return switch (item.kind()) {
            case PLAIN -> shared + key;
            case SUBTREE -> "the " + shared + "tree " + key;
            case PERMITS -> item.count() + " of " + item.capacity() + " permits of " + key;
        };
    }

    private static String waits(long millis) {
        if (millis == 0) {
            return "";
        }
        return millis == Command.WAIT_FOREVER ? ", waits" : ", waits " + Durations.text(millis);
    }
}
