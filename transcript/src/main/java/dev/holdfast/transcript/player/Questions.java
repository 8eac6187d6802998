package dev.holdfast.transcript.player;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.Explanation;
import dev.holdfast.core.query.LeaseView;
import dev.holdfast.core.query.LockView;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.query.Page;
import dev.holdfast.transcript.step.Step;
import dev.holdfast.transcript.words.EventWords;
import dev.holdfast.transcript.words.LockWords;
import dev.holdfast.transcript.words.Phrases;
import dev.holdfast.transcript.words.ReasonWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Answers what is asked without changing anything. */
final class Questions {
    private final Cluster cluster;
    private final Clients clients;
    private final Commands commands;

    Questions(Cluster cluster, Clients clients, Commands commands) {
        this.cluster = cluster;
        this.clients = clients;
        this.commands = commands;
    }

    List<String> answer(Step.Question question) {
        MachineView view = cluster.machine().view();
        if (question instanceof Step.ShowClock) {
            return List.of("the cluster clock is at " + Phrases.duration(view.now()));
        } else if (question instanceof Step.Show show) {
            return view.lock(show.key())
                    .map(lock -> LockWords.shown(lock, view.now()))
                    .orElse(List.of("nobody holds or awaits " + Phrases.key(show.key())));
        } else if (question instanceof Step.ListLocks list) {
            return list(view, list);
        } else if (question instanceof Step.Explain explain) {
            return explain(view, explain);
        } else if (question instanceof Step.PlanLock plan) {
            return List.of(
                    ReasonWords.planned(plan.lock().caller().name(), view.plan(commands.planned(plan.lock())), view));
        } else if (question instanceof Step.HistoryOf history) {
            return history(view, history);
        } else if (question instanceof Step.LeasesOf leases) {
            return leases(view, leases.name());
        }
        throw new IllegalArgumentException("no answer to " + question);
    }

    private static List<String> list(MachineView view, Step.ListLocks list) {
        Page<LockView, LockKey> page =
                view.locks(list.prefix(), list.from(), list.most() == 0 ? Integer.MAX_VALUE : list.most());
        List<String> lines = new ArrayList<>();
        page.entries().forEach(lock -> lines.add(LockWords.listed(lock)));
        page.next().ifPresent(key -> lines.add("and more, from " + Phrases.key(key)));
        return lines.isEmpty() ? List.of("no locks") : lines;
    }

    private List<String> explain(MachineView view, Step.Explain explain) {
        String name = explain.name();
        OptionalLong id = clients.leaseOf(name);
        List<Explanation> waits = id.isEmpty()
                ? List.of()
                : view.explain(
                        new LeaseId(id.getAsLong()),
                        clients.principalOf(name),
                        explain.request().orElse(0));
        return waits.isEmpty()
                ? List.of(name + " waits for nothing")
                : ReasonWords.explained(name, waits.get(waits.size() - 1));
    }

    private static List<String> history(MachineView view, Step.HistoryOf history) {
        List<Event> events = view.history(history.key(), history.most() == 0 ? Integer.MAX_VALUE : history.most());
        return events.isEmpty()
                ? List.of("nothing is remembered of " + Phrases.key(history.key()))
                : events.stream()
                        .map(event -> "revision " + event.revision() + " at " + Phrases.duration(event.at()) + ": "
                                + EventWords.of(event))
                        .toList();
    }

    private List<String> leases(MachineView view, String name) {
        Page<LeaseView, LeaseId> page =
                view.leases(clients.principalOf(name), Optional.of(name), Optional.empty(), Integer.MAX_VALUE);
        return page.entries().isEmpty()
                ? List.of(name + " has no lease")
                : page.entries().stream().map(LockWords::lease).toList();
    }
}
