package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.cli.output.Ink;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.output.Table;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.Holder;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.Waiter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast show}: who holds a lock, and who waits for it. */
@Command(
        name = "show",
        description = "Shows who holds a lock, since when, from where and how much longer, and who waits, in order.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:somebody holds it or waits for it", "1:nobody does", "69:no node answers"},
        footerHeading = "%nExamples:%n",
        footer = {"  holdfast show orders/42", "  holdfast show orders/42 -o json | jq .holders[0].holder_id"})
final class ShowCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "the lock's key")
    private String key = "";

    @Mixin
    private final Output output;

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    ShowCommand(Streams streams) {
        this.streams = streams;
        this.output = new Output(streams);
    }

    @Override
    public Integer call() {
        GetResponse found;
        try (Nodes nodes = connection.nodes()) {
            found = nodes.locks(
                    service -> service.get(GetRequest.newBuilder().setName(key).build()));
        }
        if (!found.hasLock()) {
            throw new Failure(ExitCode.DIFFERENT, key + " is free: nobody holds it or waits for it");
        }
        LockRecord lock = found.getLock();
        if (output.format() == Output.Format.TABLE) {
            print(lock);
        } else {
            output.show(
                    holders(lock),
                    lock,
                    lock.getHoldersList().stream().map(Holder::getHolderId).toList());
        }
        return ExitCode.OK;
    }

    private void print(LockRecord lock) {
        Ink ink = new Ink(streams.coloured());
        streams.out()
                .println(Printable.of(lock.getKey())
                        + (lock.getCapacity() == 0
                                ? ""
                                : ", " + lock.getPermitsTaken() + " of " + lock.getCapacity() + " permits taken")
                        + ", revision "
                        + lock.getModRevision());
        if (lock.getHoldersCount() > 0) {
            streams.out().println();
            holders(lock).print(streams.out(), ink);
            andMore(lock.getHolderCount() - lock.getHoldersCount());
        }
        if (lock.getWaitersCount() > 0) {
            streams.out().println();
            waiters(lock).print(streams.out(), ink);
            andMore(lock.getWaiterCount() - lock.getWaitersCount());
        }
        streams.out().flush();
    }

    private void andMore(int more) {
        if (more > 0) {
            streams.out().println("and " + more + " more");
        }
    }

    private static Table holders(LockRecord lock) {
        Table table = new Table(
                "HOLDER", "HOST", "PROCESS", "MODE", "TOKEN", "SINCE", "AGE", "LEASE LEFT", "PURPOSE", "NOTE");
        for (Holder holder : lock.getHoldersList()) {
            Origin origin = Origin.of(holder.getMetadata());
            table.row(
                    holder.getHolderId(),
                    origin.host(),
                    origin.process(),
                    Words.mode(holder.getHold()),
                    holder.getFencingToken(),
                    Words.time(holder.getSinceWallMs()),
                    Durations.text(holder.getHeldMs()),
                    holder.getLingering() ? "lost, lock-delay runs" : Durations.text(holder.getLeaseLeftMs()),
                    holder.getPurpose(),
                    origin.note());
        }
        return table;
    }

    private static Table waiters(LockRecord lock) {
        Table table = new Table("#", "WAITER", "HOST", "PROCESS", "WANTS", "WAITING", "LEASE LEFT", "PURPOSE");
        List<Waiter> waiters = lock.getWaitersList();
        for (int i = 0; i < waiters.size(); i++) {
            Waiter waiter = waiters.get(i);
            Origin origin = Origin.of(waiter.getMetadata());
            table.row(
                    i + 1,
                    waiter.getClientId(),
                    origin.host(),
                    origin.process(),
                    waiter.getUpgrade() ? "upgrade" : wants(lock, waiter),
                    Durations.text(waiter.getWaitingMs()),
                    Durations.text(waiter.getLeaseLeftMs()),
                    waiter.getPurpose());
        }
        return table;
    }

    private static String wants(LockRecord lock, Waiter waiter) {
        if (lock.getCapacity() > 0) {
            return "permit";
        }
        String mode = waiter.getHoldsList().stream()
                .filter(hold -> hold.getKey().equals(lock.getKey()))
                .findFirst()
                .map(Words::mode)
                .orElse("");
        return waiter.getHoldsCount() > 1 ? mode + ", with " + (waiter.getHoldsCount() - 1) + " more" : mode;
    }
}
