package dev.holdfast.server.operation;

import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.cluster.Neighbours;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Requests.Answer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What operators decide for the whole cluster, as part of its replicated state: limits and the feature level. */
public final class ReplicatedSettings {
    private final Commands commands;
    private final Neighbours neighbours;

    public ReplicatedSettings(NodeCore node) {
        this.commands = new Commands(node);
        this.neighbours = node.neighbours();
    }

    public CompletableFuture<Answer> setLimit(String name, long value, Caller caller) {
        Limit limit = Arrays.stream(Limit.values())
                .filter(known -> known.name().equals(name))
                .findAny()
                .orElseThrow(() -> Rejected.invalid(
                        "name", "\"" + name + "\" is no limit; the limits are " + Arrays.asList(Limit.values())));
        return submit(new Command.SetLimit(limit, value), caller);
    }

    public CompletableFuture<Answer> raiseFeatureLevel(int level, Caller caller) {
        int supported = neighbours.lowestFeatureLevel(NodeCore.FEATURE_LEVEL);
        if (level > supported) {
            throw Rejected.invalid(
                    "level",
                    supported,
                    level,
                    level + " is above " + supported
                            + ", which is all that every member is known to support: upgrade and start them all");
        }
        return submit(new Command.RaiseFeatureLevel(level), caller);
    }

    private CompletableFuture<Answer> submit(Command command, Caller caller) {
        Asked asked = new Asked("lease", 0, "key", Map.of(), caller);
        return commands.submit(command, asked).thenApply(answer -> {
            if (answer.result() instanceof Result.Refused refused) {
                throw Refusals.rejected(refused, asked);
            }
            return answer;
        });
    }
}
