package dev.holdfast.client.session;

import dev.holdfast.client.Loss;
import dev.holdfast.protocol.v1.EndReason;
import dev.holdfast.protocol.v1.GrantEnded;

/** Reads why something ended. */
final class Losses {
    private Losses() {}

    static Loss of(GrantEnded ended) {
        return of(ended.getReason(), ended.getDetail());
    }

    static Loss of(EndReason reason, String detail) {
        return switch (reason) {
            case EXPIRED -> new Loss(Loss.Reason.EXPIRED, detail.isEmpty() ? "the lease has expired" : detail);
            case MAX_HOLD -> new Loss(Loss.Reason.EXPIRED, "held as long as it may be (maxHold)");
            case FORCED -> new Loss(Loss.Reason.REVOKED, detail);
            case RESTORED -> new Loss(Loss.Reason.REVOKED, "a backup was restored");
            default -> new Loss(Loss.Reason.REVOKED, detail.isEmpty() ? "the lease was ended" : detail);
        };
    }
}
