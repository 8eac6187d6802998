package dev.holdfast.core.query;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Metadata;
import java.util.List;

/**
 * A grant as it is held.
 *
 * @param sinceMillis cluster time of the grant
 * @param leftMillis how long its lease lives unless renewed
 */
public record GrantView(
        LeaseId lease,
        String clientId,
        List<Hold> holds,
        long sinceMillis,
        long ageMillis,
        long leftMillis,
        String purpose,
        Metadata metadata) {

    public GrantView {
        holds = List.copyOf(holds);
    }
}
