package dev.holdfast.server.operation;

import dev.holdfast.core.LockKey;
import dev.holdfast.core.query.LockView;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.query.Page;
import dev.holdfast.server.access.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lists the locks under a prefix that a caller may read.
 *
 * <p>One readable part after the other: so neither a lock nor the place to go on from is one that may not be read.
 */
final class ReadableKeys {
    private final List<String> prefixes;

    ReadableKeys(Caller caller, String prefix) {
        this.prefixes = caller.who().readableUnder(prefix);
    }

    Page<LockView, LockKey> list(MachineView view, Optional<LockKey> from, int most) {
        List<LockView> found = new ArrayList<>();
        for (String prefix : prefixes) {
            Optional<LockKey> start = from.filter(key -> prefix.isEmpty() || key.compareTo(LockKey.of(prefix)) > 0);
            Page<LockView, LockKey> page = view.locks(prefix, start, most - found.size());
            found.addAll(page.entries());
            if (page.next().isPresent()) {
                return new Page<>(found, page.next());
            }
        }
        return new Page<>(found, Optional.empty());
    }
}
