package dev.holdfast.server.replica;

import dev.holdfast.core.command.Batch;
import dev.holdfast.core.result.Applied;
import dev.holdfast.server.request.Stamp;

/** One entry as this node applied it. */
public record AppliedEntry(long term, long index, long proposer, long number, Batch batch, Applied applied) {
    public Stamp stamp() {
        return new Stamp(term, index, applied.now(), applied.revision());
    }
}
