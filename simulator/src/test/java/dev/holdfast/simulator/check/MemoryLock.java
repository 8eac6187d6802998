package dev.holdfast.simulator.check;

import java.util.Optional;
import java.util.SplittableRandom;

/** A lock in memory that does one thing at a time: correct, but for the bug planted in it. */
final class MemoryLock {
    private static final int ONE_IN = 8;

    private final PlantedBug bug;
    private final SplittableRandom random;
    private Optional<String> holder = Optional.empty();
    private long token;
    private LockOutput.Holder before = LockOutput.Holder.NONE;

    MemoryLock(PlantedBug bug, SplittableRandom random) {
        this.bug = bug;
        this.random = random;
    }

    LockOutput apply(LockInput input) {
        if (input instanceof LockInput.TryAcquire asked) {
            return acquire(asked.client());
        } else if (input instanceof LockInput.Release release) {
            return release(release.client(), release.token());
        } else if (input instanceof LockInput.Expire) {
            change(Optional.empty(), token);
            return new LockOutput.Expired();
        }
        return struck(PlantedBug.READS_THE_STATE_BEFORE) ? before : current();
    }

    boolean isHeldBy(String client, long held) {
        return holder.isPresent() && holder.get().equals(client) && token == held;
    }

    private LockOutput acquire(String client) {
        if (holder.isPresent() && !struck(PlantedBug.GRANTS_WHILE_HELD)) {
            return new LockOutput.Denied();
        }
        if (struck(PlantedBug.DENIES_WHEN_FREE)) {
            return new LockOutput.Denied();
        }
        // Gaps, as in a service where other keys take tokens too.
        change(
                Optional.of(client),
                token > 0 && struck(PlantedBug.REPEATS_A_TOKEN) ? token : token + 1 + random.nextInt(3));
        return struck(PlantedBug.GRANTS_WHAT_IT_DENIES) ? new LockOutput.Denied() : new LockOutput.Granted(token);
    }

    private LockOutput release(String client, long released) {
        boolean held = isHeldBy(client, released);
        if (held && struck(PlantedBug.LOSES_A_RELEASE)) {
            return new LockOutput.Released();
        }
        if (held || (holder.isPresent() && struck(PlantedBug.RELEASES_WITH_AN_OLD_TOKEN))) {
            change(Optional.empty(), token);
            return new LockOutput.Released();
        }
        return new LockOutput.NotHeld();
    }

    private LockOutput.Holder current() {
        return holder.map(client -> LockOutput.Holder.of(client, token)).orElse(LockOutput.Holder.NONE);
    }

    private void change(Optional<String> newHolder, long newToken) {
        before = current();
        holder = newHolder;
        token = newToken;
    }

    private boolean struck(PlantedBug wanted) {
        return bug == wanted && random.nextInt(ONE_IN) == 0;
    }
}
