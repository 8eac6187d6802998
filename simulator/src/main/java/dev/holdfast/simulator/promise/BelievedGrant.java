package dev.holdfast.simulator.promise;

import dev.holdfast.client.api.Grant;
import java.time.Duration;

/** What a client takes itself to hold. */
public interface BelievedGrant {
    long token();

    boolean isValid();

    /** For how long it would go on believing, at the most, if it heard nothing more. */
    Duration remaining();

    static BelievedGrant of(Grant grant) {
        long token = grant.token();
        return new BelievedGrant() {
            @Override
            public long token() {
                return token;
            }

            @Override
            public boolean isValid() {
                return grant.isValid();
            }

            @Override
            public Duration remaining() {
                return grant.remaining();
            }

            @Override
            public String toString() {
                return grant.toString();
            }
        };
    }
}
