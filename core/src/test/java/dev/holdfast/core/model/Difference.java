package dev.holdfast.core.model;

import dev.holdfast.core.image.LeaseImage;
import dev.holdfast.core.image.LockImage;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The first part in which what two machines gave is not the same, in words. */
final class Difference {
    private Difference() {}

    static Optional<String> between(Applied model, Applied machine) {
        return single("now", model.now(), machine.now())
                .or(() -> lists("result", answers(model.results()), answers(machine.results())))
                .or(() -> lists("event", model.events(), machine.events()))
                .or(() -> single("revision", model.revision(), machine.revision()))
                .or(() -> single("renewedEnds", ends(model), ends(machine)));
    }

    static Optional<String> between(StateImage model, StateImage machine) {
        return single("header", model.header(), machine.header())
                .or(() -> lists("tombstone", model.tombstones(), machine.tombstones()))
                .or(() -> lists("lease", leases(model), leases(machine)))
                .or(() -> locks(model.locks(), machine.locks()))
                .or(() -> lists("history", model.history(), machine.history()));
    }

    private static Optional<String> locks(List<LockImage> model, List<LockImage> machine) {
        for (int i = 0; i < Math.min(model.size(), machine.size()); i++) {
            LockImage one = model.get(i);
            LockImage other = machine.get(i);
            String place = "lock " + one.key();
            Optional<String> inside = single(place, withoutRequests(one), withoutRequests(other))
                    .or(() -> lists(place + ", request", unparked(one), unparked(other)));
            if (inside.isPresent()) {
                return inside;
            }
        }
        return single("locks", model.size(), machine.size());
    }

    private static LockImage withoutRequests(LockImage lock) {
        return new LockImage(
                lock.key(),
                lock.capacity(),
                lock.createRevision(),
                lock.modRevision(),
                lock.version(),
                0,
                false,
                List.of());
    }

    /** Where a request is parked is the machine's own way to find those who can be granted. */
    private static List<RequestImage> unparked(LockImage lock) {
        return lock.requests().stream().map(Difference::unparked).toList();
    }

    private static RequestImage unparked(RequestImage request) {
        return new RequestImage(
                request.lease(),
                request.clientId(),
                request.state(),
                request.seq(),
                request.revision(),
                request.owner(),
                request.actor(),
                request.claims(),
                request.sinceMillis(),
                request.wallMillis(),
                request.endMillis(),
                request.maxHoldMillis(),
                null,
                request.upgrades(),
                request.leaseCoversWait(),
                request.deadlockChecked(),
                request.purpose(),
                request.metadata());
    }

    private static List<Long> ends(Applied applied) {
        return Arrays.stream(applied.renewedEnds()).boxed().toList();
    }

    private static Optional<String> single(String part, Object model, Object machine) {
        return model.equals(machine) ? Optional.empty() : Optional.of(describe(part, model, machine));
    }

    private static Optional<String> lists(String part, List<?> model, List<?> machine) {
        if (model.equals(machine)) {
            return Optional.empty();
        }
        int i = 0;
        while (i < Math.min(model.size(), machine.size()) && model.get(i).equals(machine.get(i))) {
            i++;
        }
        return Optional.of(describe(part + " " + i, at(model, i), at(machine, i)));
    }

    private static Object at(List<?> list, int i) {
        return i < list.size() ? list.get(i) : "nothing, there are only " + list.size();
    }

    private static String describe(String part, Object model, Object machine) {
        return part + System.lineSeparator() + "  model:   " + model + System.lineSeparator() + "  machine: " + machine;
    }

    private static List<Result> answers(List<Result> results) {
        return results.stream().map(Difference::withoutCycle).toList();
    }

    /** Any cycle will do as the proof of a deadlock, so it is not compared. */
    private static Result withoutCycle(Result result) {
        return result instanceof Result.Refused refused ? withoutCycle(refused) : result;
    }

    private static Result.Refused withoutCycle(Result.Refused refused) {
        return refused.code() == Refusal.DEADLOCK ? new Result.Refused(refused.code(), refused.subject()) : refused;
    }

    private static List<LeaseImage> leases(StateImage image) {
        return image.leases().stream().map(Difference::withoutCycles).toList();
    }

    private static LeaseImage withoutCycles(LeaseImage lease) {
        List<LeaseImage.Finished> finished = lease.finished().stream()
                .map(answer -> answer.result() instanceof Result.Refused refused
                        ? new LeaseImage.Finished(answer.seq(), withoutCycle(refused))
                        : answer)
                .toList();
        return new LeaseImage(
                lease.id(),
                lease.principal(),
                lease.clientId(),
                lease.grantedTtlMillis(),
                lease.totalTtlMillis(),
                lease.endMillis(),
                lease.endTick(),
                lease.lockDelayMillis(),
                lease.startRevision(),
                lease.startedWallMillis(),
                lease.ackedBelow(),
                lease.ending(),
                finished);
    }
}
