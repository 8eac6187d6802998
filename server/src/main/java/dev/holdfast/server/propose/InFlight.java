package dev.holdfast.server.propose;

import dev.holdfast.core.result.Applied;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Requests.Renewed;
import dev.holdfast.server.request.Stamp;
import java.util.Arrays;
import java.util.List;

/**
 * A proposed batch whose entry has not been applied yet, and who waits for it.
 *
 * @param renewed for each renewal work, in order, which of its leases are in the batch: the others had no owner
 *     that matches
 */
record InFlight(
        long number,
        long term,
        long clusterTimeMillis,
        long proposedNanos,
        List<Work.Order> orders,
        List<Work.Renewal> renewals,
        List<boolean[]> renewed,
        List<Work.Barrier> barriers) {

    void complete(AppliedEntry entry) {
        Stamp stamp = entry.stamp();
        Applied applied = entry.applied();
        for (int i = 0; i < orders.size(); i++) {
            orders.get(i).answer().complete(new Answer(applied.results().get(i), stamp));
        }
        int next = 0;
        for (int i = 0; i < renewals.size(); i++) {
            long[] ends = new long[renewals.get(i).leases().length];
            boolean[] included = renewed.get(i);
            Arrays.fill(ends, Applied.NOT_RENEWED);
            for (int j = 0; j < ends.length; j++) {
                if (included[j]) {
                    ends[j] = applied.renewedEnds()[next++];
                }
            }
            renewals.get(i).answer().complete(new Renewed(ends, stamp));
        }
        for (Work.Barrier barrier : barriers) {
            barrier.answer().complete(stamp);
        }
    }

    void fail(RequestFailure failure) {
        orders.forEach(order -> order.fail(failure));
        renewals.forEach(renewal -> renewal.fail(failure));
        barriers.forEach(barrier -> barrier.fail(failure));
    }
}
