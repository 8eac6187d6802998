package dev.holdfast.client.lease;

import dev.holdfast.client.api.Loss;
import dev.holdfast.protocol.v1.EndReason;
import dev.holdfast.protocol.v1.GrantEnded;

/** Reads why something ended. */
final class LossMapper {
    private LossMapper() {}

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
