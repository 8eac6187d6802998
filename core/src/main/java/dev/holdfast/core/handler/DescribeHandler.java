package dev.holdfast.core.handler;

import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;

/** Lets the holder of a grant change what it says about itself. */
final class DescribeHandler {
    private final State state;
    private final LeaseHandler leases;
    private final Transitions transitions;
    private final Grants grants;

    DescribeHandler(State state, LeaseHandler leases, Transitions transitions, Grants grants) {
        this.state = state;
        this.leases = leases;
        this.transitions = transitions;
        this.grants = grants;
    }

    Result describe(Command.Describe command) {
        Lease lease = leases.find(command);
        if (lease == null) {
            return leases.notFound(command);
        }
        Request grant = grants.find(command.key(), command.token());
        if (grant == null || grant.lease() != lease) {
            return new Result.Refused(Refusal.NOT_HOLDER, command.key().toString());
        }
        long most = state.limit(Limit.METADATA_BYTES);
        if (command.metadata().length() > most) {
            return LeaseHandler.invalid("metadata", most, command.metadata().length());
        }
        // The same again, a retry perhaps, happened already: nothing for anybody to hear of.
        if (!grant.metadata().equals(command.metadata())) {
            transitions.describe(grant, command.metadata());
        }
        return new Result.Described(state.tokenOf(grant));
    }
}
