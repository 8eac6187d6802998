package dev.holdfast.core.codec;

import dev.holdfast.core.Limit;
import dev.holdfast.core.result.Result;

/** The maximum size of each field: no setting of a limit allows more, so anything beyond is damage. */
final class CodecBounds {
    static final int KEY_BYTES = (int) Limit.KEY_BYTES.highest();
    static final int NAME_BYTES = (int) Limit.CLIENT_ID_BYTES.highest();
    static final int METADATA_BYTES = (int) Limit.METADATA_BYTES.highest();
    static final int DETAIL_BYTES = 2 * (int) Limit.PURPOSE_BYTES.highest() + 16;
    static final int PURPOSE_BYTES = (int) Limit.PURPOSE_BYTES.highest();

    /** A refused command may carry more than a limit allows; it is still written, up to this. */
    static final int COMMAND_ITEMS = 4_096;

    static final int CLAIMS = (int) Limit.KEYS_PER_REQUEST.highest();
    static final int PERMITS = (int) Limit.PERMITS_PER_REQUEST.highest();
    static final int SLOTS = (int) Limit.SEMAPHORE_PERMITS.highest();
    static final int BATCH_COMMANDS = 1_000_000;
    static final int BATCH_RENEWALS = 10_000_000;
    static final int BLOCKERS = Result.CYCLE_SHOWN;
    static final int FINISHED = 4 * (int) Limit.UNACKNOWLEDGED.highest();

    private CodecBounds() {}
}
