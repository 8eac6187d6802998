package dev.holdfast.transcript.player;

import dev.holdfast.core.event.Event;
import dev.holdfast.core.event.WatchIndex;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.transcript.step.Step;
import dev.holdfast.transcript.words.EventWords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Those who watch keys: each is told every event of its keys once, in order, or that it cannot be. */
final class Watchers {
    private final WatchIndex<Watcher> index = new WatchIndex<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private long epoch;

    /** One watch; compared by identity, as the index does. */
    private static final class Watcher {
        final String name;
        final String path;
        final boolean prefix;
        final long fromRevision;

        Watcher(Step.Watch watch, long fromRevision) {
            this.name = watch.name();
            this.path = watch.path();
            this.prefix = watch.prefix();
            this.fromRevision = fromRevision;
        }
    }

    List<String> start(Step.Watch watch, MachineView view) {
        long from = watch.fromRevision().orElse(view.revision() + 1);
        if (from < view.oldestRevision()) {
            return List.of(watch.name() + " cannot watch from revision " + from + " (COMPACTED): the oldest kept is "
                    + view.oldestRevision());
        }
        Watcher watcher = new Watcher(watch, from);
        watchers.add(watcher);
        if (watcher.prefix) {
            index.addPrefix(watcher.path, watcher);
        } else {
            index.addKey(watcher.path, watcher);
        }
        List<String> lines = new ArrayList<>();
        lines.add(watch.name() + " watches from revision " + from);
        for (long revision = from; revision <= view.revision(); revision++) {
            Event event = view.event(revision);
            index.match(event, found -> {
                if (found == watcher) {
                    lines.add(sees(watcher, event));
                }
            });
        }
        return lines;
    }

    List<String> stop(String name) {
        boolean any = watchers.stream().anyMatch(watcher -> watcher.name.equals(name));
        watchers.removeIf(watcher -> {
            boolean his = watcher.name.equals(name);
            if (his) {
                unindex(watcher);
            }
            return his;
        });
        return List.of(name + (any ? " watches no more" : " watches nothing"));
    }

    /** Keeps what the watchers of an event will be told. */
    void learn(Event event) {
        List<Watcher> found = new ArrayList<>();
        index.match(event, found::add);
        found.sort(Comparator.comparingInt(watchers::indexOf));
        for (Watcher watcher : found) {
            if (event.revision() >= watcher.fromRevision) {
                told.add(sees(watcher, event));
            }
        }
    }

    /** What they are told since this was last asked. */
    List<String> takeTold(MachineView view) {
        List<String> lines = new ArrayList<>(told);
        told.clear();
        if (view.epoch() != epoch) {
            // A cursor belongs to an epoch: what a watcher saw before a restore may not have happened.
            epoch = view.epoch();
            lines.clear();
            for (Watcher watcher : watchers) {
                lines.add(watcher.name + " must watch anew (COMPACTED): epoch " + epoch + " has begun");
                unindex(watcher);
            }
            watchers.clear();
        }
        return lines;
    }

    private void unindex(Watcher watcher) {
        if (watcher.prefix) {
            index.removePrefix(watcher.path, watcher);
        } else {
            index.removeKey(watcher.path, watcher);
        }
    }

    private static String sees(Watcher watcher, Event event) {
        return watcher.name + " sees revision " + event.revision() + ": " + EventWords.of(event);
    }
}
