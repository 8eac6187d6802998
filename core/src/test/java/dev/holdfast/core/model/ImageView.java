package dev.holdfast.core.model;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Mode;
import dev.holdfast.core.image.LeaseImage;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.RequestImage.State;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What the generator reads from a state to ask for things that exist. */
record ImageView(StateImage image) {
    private static final long TICK_MILLIS = 16;

    long now() {
        return image.header().now();
    }

    List<LeaseImage> leases() {
        return image.leases();
    }

    Optional<LeaseImage> lease(LeaseId id) {
        return leases().stream().filter(lease -> lease.id().equals(id)).findFirst();
    }

    private List<RequestImage> requests(Predicate<RequestImage> wanted) {
        return image.locks().stream()
                .flatMap(lock -> lock.requests().stream())
                .filter(wanted)
                .toList();
    }

    List<RequestImage> held() {
        return requests(request -> request.state() == State.HELD);
    }

    List<RequestImage> heldOrLingering() {
        return requests(request -> request.state() != State.WAITING);
    }

    List<RequestImage> heldShared() {
        return requests(request -> request.state() == State.HELD
                && request.claims().stream().anyMatch(claim -> claim.mode() == Mode.SHARED));
    }

    List<RequestImage> heldExclusive() {
        return requests(request -> request.state() == State.HELD
                && request.claims().stream()
                        .anyMatch(claim -> claim.mode() == Mode.EXCLUSIVE && claim.kind() != Kind.PERMITS));
    }

    List<RequestImage> waiting() {
        return requests(request -> request.state() == State.WAITING);
    }

    List<RequestImage> live(LeaseId lease) {
        return requests(
                request -> request.state() != State.LINGERING && request.lease().equals(lease));
    }

    long token(RequestImage grant) {
        return FencingToken.of(image.header().epoch(), grant.revision()).value();
    }

    long highestToken() {
        return image.header().epoch() << FencingToken.REVISION_BITS
                | image.header().revision();
    }

    /** The seqs that the lease has used and that still mean something. */
    List<Long> knownSeqs(LeaseImage lease) {
        List<Long> seqs = new ArrayList<>();
        lease.finished().stream()
                .filter(finished -> !(finished.result() instanceof Result.LeaseGranted))
                .forEach(finished -> seqs.add(finished.seq()));
        live(lease.id()).stream().map(RequestImage::seq).filter(seq -> seq > 0).forEach(seqs::add);
        return seqs;
    }

    /** The instants at which something falls due. */
    List<Long> deadlines() {
        List<Long> deadlines = new ArrayList<>();
        leases().forEach(lease -> deadlines.add(lease.endTick() * TICK_MILLIS));
        requests(request -> request.endMillis() > 0)
                .forEach(request -> deadlines.add((request.endMillis() + TICK_MILLIS - 1) / TICK_MILLIS * TICK_MILLIS));
        image.tombstones()
                .forEach(ended -> deadlines.add(
                        ended.endedAtMillis() + image.header().limits().get(Limit.TOMBSTONE_MILLIS) + 1));
        deadlines.add(image.header().quarantineEndMillis());
        deadlines.removeIf(deadline -> deadline <= now() || deadline > now() + 2_000);
        return deadlines;
    }
}
