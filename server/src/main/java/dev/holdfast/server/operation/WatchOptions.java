package dev.holdfast.server.operation;

import dev.holdfast.server.watch.WatchSpec;

/**
 * A watch as its reader asks for it.
 *
 * @param id what it is called on its stream
 * @param allEvents waits as well, and not only what changes who holds a key
 * @param previousValues with each event the key as it was before
 * @param progressNotify tells now and then how far it has come, even if nothing happens
 */
public record WatchOptions(
        long id, WatchSpec spec, boolean allEvents, boolean previousValues, boolean progressNotify) {}
