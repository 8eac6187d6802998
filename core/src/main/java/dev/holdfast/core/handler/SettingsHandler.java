package dev.holdfast.core.handler;

import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Ledger;
import dev.holdfast.core.state.State;

/** Changes what is replicated but not about locks: limits and the feature level. */
final class SettingsHandler {
    private final State state;
    private final Ledger ledger;

    SettingsHandler(State state, Ledger ledger) {
        this.state = state;
        this.ledger = ledger;
    }

    Result set(Command.SetLimit command) {
        Limit limit = command.limit();
        long value = command.value();
        if (value < limit.lowest() || value > limit.highest()) {
            return LeaseHandler.invalid(limit.name(), value < limit.lowest() ? limit.lowest() : limit.highest(), value);
        }
        ledger.setLimits(state.limits().with(limit, value));
        return new Result.Changed();
    }

    /** A level this code does not know must stop the node: it would apply what follows differently. */
    Result raise(Command.RaiseFeatureLevel command, int supported) {
        if (command.level() > supported) {
            throw new IllegalStateException("feature level " + command.level()
                    + " is not supported: this node knows up to " + supported + "; run a newer version");
        }
        if (command.level() > state.featureLevel()) {
            ledger.setFeatureLevel(command.level());
        }
        return new Result.Changed();
    }
}
