package dev.holdfast.transcript.player;

import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Applied;
import dev.holdfast.transcript.step.Act;
import dev.holdfast.transcript.step.Step;
import dev.holdfast.transcript.words.EntryWords;
import dev.holdfast.transcript.words.Phrases;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Makes log entries of what clients do, and tells what came of them. */
final class Entries {
    private final Cluster cluster;
    private final Clients clients;
    private final Commands commands;
    private final Consumer<Event> listener;

    /** @param listener hears of every event */
    Entries(Cluster cluster, Clients clients, Commands commands, Consumer<Event> listener) {
        this.cluster = cluster;
        this.clients = clients;
        this.commands = commands;
        this.listener = listener;
    }

    List<String> play(Step.Entry entry) {
        if (!cluster.hasMajority()) {
            return List.of("unavailable: " + cluster.running() + " of " + cluster.size() + " replicas run");
        }
        cluster.moveClockTo(cluster.clockMillis() + entry.afterMillis());
        List<Act.RenewLease> renewals = new ArrayList<>();
        List<Act> others = new ArrayList<>();
        for (Act act : entry.acts()) {
            if (act instanceof Act.RenewLease renewal) {
                renewals.add(renewal);
            } else {
                others.add(act);
            }
        }
        long[] ids = renewals.stream()
                .mapToLong(renewal -> clients.lease(renewal.caller()).value())
                .toArray();
        List<Command> asked = others.stream().map(act -> act.match(commands)).toList();
        return apply(renewals, others, cluster.batch(ids, asked));
    }

    private List<String> apply(List<Act.RenewLease> renewals, List<Act> acts, Batch batch) {
        List<Stage> stages = stagesBeforeLast(batch);
        Applied applied = cluster.apply(batch);
        applied.events().forEach(listener);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < renewals.size(); i++) {
            lines.add(renewed(renewals.get(i), applied.renewedEnds()[i], applied.now()));
        }
        if (acts.isEmpty()) {
            lines.addAll(EntryWords.of(applied.events()));
            return lines;
        }
        stages.add(new Stage(cluster.machine(), applied));
        int told = 0;
        for (int i = 0; i < acts.size(); i++) {
            Stage stage = stages.get(i);
            List<Event> events = stage.applied.events();
            Command command = batch.commands().get(i);
            lines.addAll(EntryWords.of(
                    acts.get(i).speaker(),
                    command,
                    applied.results().get(i),
                    events.subList(told, events.size()),
                    stage.machine.view()));
            commands.answered(command, applied.results().get(i));
            told = events.size();
        }
        return lines;
    }

    /** A machine after the first commands of an entry, and what they gave. */
    private record Stage(LockMachine machine, Applied applied) {}

    /** The machine says only what an entry caused as a whole, so shorter ones are tried on copies. */
    private List<Stage> stagesBeforeLast(Batch batch) {
        List<Stage> stages = new ArrayList<>();
        if (batch.commands().size() < 2) {
            return stages;
        }
        byte[] before = cluster.replica(cluster.leader()).snapshot();
        for (int i = 1; i < batch.commands().size(); i++) {
            LockMachine copy = Replica.machineOf(before);
            Batch shorter = cluster.batch(batch.renewals(), batch.commands().subList(0, i));
            stages.add(new Stage(copy, copy.apply(cluster.term(), shorter)));
        }
        return stages;
    }

    private static String renewed(Act.RenewLease renewal, long end, long now) {
        String name = renewal.caller().name();
        return end == Applied.NOT_RENEWED
                ? name + "'s lease is not renewed: there is no such lease any more"
                : name + "'s lease is renewed, " + Phrases.duration(end - now) + " left";
    }
}
