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
final class Questions implements Step.QuestionCases<List<String>> {
    private final Cluster cluster;
    private final Clients clients;
    private final Commands commands;

    Questions(Cluster cluster, Clients clients, Commands commands) {
        this.cluster = cluster;
        this.clients = clients;
        this.commands = commands;
    }

    private MachineView view() {
        return cluster.machine().view();
    }

    @Override
    public List<String> showClock(Step.ShowClock question) {
        return List.of("the cluster clock is at " + Phrases.duration(view().now()));
    }

    @Override
    public List<String> show(Step.Show question) {
        return view().lock(question.key())
                .map(lock -> LockWords.shown(lock, view().now()))
                .orElse(List.of("nobody holds or awaits " + Phrases.key(question.key())));
    }

    @Override
    public List<String> listLocks(Step.ListLocks question) {
        Page<LockView, LockKey> page = view().locks(question.prefix(), question.from(), most(question.most()));
        List<String> lines = new ArrayList<>();
        page.entries().forEach(lock -> lines.add(LockWords.listed(lock)));
        page.next().ifPresent(key -> lines.add("and more, from " + Phrases.key(key)));
        return lines.isEmpty() ? List.of("no locks") : lines;
    }

    @Override
    public List<String> explain(Step.Explain question) {
        String name = question.name();
        OptionalLong id = clients.leaseOf(name);
        List<Explanation> waits = id.isEmpty()
                ? List.of()
                : view().explain(
                                new LeaseId(id.getAsLong()),
                                clients.principalOf(name),
                                question.request().orElse(0),
                                0)
                        .entries();
        return waits.isEmpty()
                ? List.of(name + " waits for nothing")
                : ReasonWords.explained(name, waits.get(waits.size() - 1));
    }

    @Override
    public List<String> planLock(Step.PlanLock question) {
        MachineView view = view();
        return List.of(ReasonWords.planned(
                question.lock().caller().name(), view.plan(commands.planned(question.lock())), view));
    }

    @Override
    public List<String> historyOf(Step.HistoryOf question) {
        List<Event> events =
                view().history(question.key(), 0, most(question.most())).entries();
        return events.isEmpty()
                ? List.of("nothing is remembered of " + Phrases.key(question.key()))
                : events.stream()
                        .map(event -> "revision " + event.revision() + " at " + Phrases.duration(event.at()) + ": "
                                + EventWords.of(event))
                        .toList();
    }

    @Override
    public List<String> leasesOf(Step.LeasesOf question) {
        String name = question.name();
        String principal = clients.principalOf(name);
        Page<LeaseView, LeaseId> page =
                view().leases(principal, Optional.of(name), Optional.empty(), Integer.MAX_VALUE);
        return page.entries().isEmpty()
                ? List.of(name + " has no lease")
                : page.entries().stream()
                        .flatMap(lease -> view().lease(lease.id(), principal).stream())
                        .map(LockWords::lease)
                        .toList();
    }

    private static int most(int asked) {
        return asked == 0 ? Integer.MAX_VALUE : asked;
    }
}
