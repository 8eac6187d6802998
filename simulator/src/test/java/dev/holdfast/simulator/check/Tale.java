package dev.holdfast.simulator.check;

import java.util.ArrayList;
import java.util.List;

/** A history of one key, told line by line. */
final class Tale {
    private static final String KEY = "k";

    private final List<Operation<LockInput, LockOutput>> operations = new ArrayList<>();

    Tale acquire(long called, long returned, String client, LockOutput output) {
        return add(client, called, returned, new LockInput.TryAcquire(client), output);
    }

    Tale granted(long called, long returned, String client, long token) {
        return acquire(called, returned, client, new LockOutput.Granted(token));
    }

    Tale denied(long called, long returned, String client) {
        return acquire(called, returned, client, new LockOutput.Denied());
    }

    Tale released(long called, long returned, String client, long token) {
        return add(client, called, returned, new LockInput.Release(client, token), new LockOutput.Released());
    }

    Tale notHeld(long called, long returned, String client, long token) {
        return add(client, called, returned, new LockInput.Release(client, token), new LockOutput.NotHeld());
    }

    Tale expired(long called, long returned, String client, long token) {
        return add("expiry", called, returned, new LockInput.Expire(client, token), new LockOutput.Expired());
    }

    Tale seesHeld(long called, long returned, String holder, long token) {
        return add("reader", called, returned, new LockInput.Read(), LockOutput.Holder.of(holder, token));
    }

    Tale seesFree(long called, long returned) {
        return add("reader", called, returned, new LockInput.Read(), LockOutput.Holder.NONE);
    }

    Tale unknown(long called, String process, LockInput input) {
        operations.add(Operation.ofUnknownOutcome(KEY, process, called, input));
        return this;
    }

    private Tale add(String process, long called, long returned, LockInput input, LockOutput output) {
        operations.add(Operation.completed(KEY, process, called, returned, input, output));
        return this;
    }

    Verdict verdict() {
        return new LinearizabilityChecker<>(new LockModel()).check(operations);
    }

    Operation<LockInput, LockOutput> last() {
        return operations.get(operations.size() - 1);
    }
}
