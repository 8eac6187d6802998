package dev.holdfast.core.query;

import dev.holdfast.core.FencingToken;
import java.util.List;

/**
 * What a session that takes up a lease needs to know.
 *
 * @param endMillis cluster time at which the lease ends unless it is renewed
 * @param grants its grants, oldest first; one that was lost and only keeps its keys closed is not among them
 */
public record Attachment(long endMillis, List<FencingToken> grants) {
    public Attachment {
        grants = List.copyOf(grants);
    }
}
