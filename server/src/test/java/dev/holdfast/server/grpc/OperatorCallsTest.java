package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.CompactRequest;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ForceReleaseRequest;
import dev.holdfast.protocol.v1.LimitSetRequest;
import dev.holdfast.protocol.v1.SnapshotSaveRequest;
import dev.holdfast.protocol.v1.StateHashRequest;
import dev.holdfast.protocol.v1.TransferLeadershipRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A refusal to an operator names what failed. The log of these tests refuses everything but entries. */
class OperatorCallsTest {
    private final TestNode node = new TestNode();
    private final AdminBlockingStub admin = node.client(AdminBlockingStub.class);

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void snapshot_that_the_log_refuses_is_not_called_a_wrong_argument() {
        Error compact =
                Failing.error(Code.FAILED_PRECONDITION, () -> admin.compact(CompactRequest.getDefaultInstance()));
        assertThat(compact.getSubject()).isEqualTo("snapshot");
        assertThat(compact.getMessage()).contains("keeps no snapshots");
        Error backup = Failing.error(
                Code.FAILED_PRECONDITION,
                () -> admin.snapshotSave(SnapshotSaveRequest.getDefaultInstance())
                        .hasNext());
        assertThat(backup.getSubject()).isEqualTo("snapshot");
    }

    @Test
    void transfer_that_the_log_refuses_is_about_leadership_and_an_unknown_member_is_not_found() {
        Error refused = Failing.error(
                Code.FAILED_PRECONDITION,
                () -> admin.transferLeadership(TransferLeadershipRequest.getDefaultInstance()));
        assertThat(refused.getSubject()).isEqualTo("leadership");
        Error unknown = Failing.error(
                Code.NOT_FOUND,
                () -> admin.transferLeadership(
                        TransferLeadershipRequest.newBuilder().setTo("n9").build()));
        assertThat(unknown.getSubject()).isEqualTo("member");
    }

    @Test
    void hash_of_a_state_that_is_past_names_the_index() {
        node.lease();
        Error past = Failing.error(
                Code.INVALID_ARGUMENT,
                () -> admin.stateHash(
                        StateHashRequest.newBuilder().setAtIndex(1).build()));
        assertThat(past.getSubject()).isEqualTo("at_index");
    }

    @Test
    void limit_that_does_not_exist_or_is_out_of_bounds_and_a_lock_without_a_name_are_wrong_arguments() {
        assertThat(Failing.error(
                                Code.INVALID_ARGUMENT,
                                () -> admin.limitSet(LimitSetRequest.newBuilder()
                                        .setName("NOPE")
                                        .build()))
                        .getMessage())
                .contains("NOPE", "TTL_MAX_MILLIS");
        Failing.error(
                Code.INVALID_ARGUMENT,
                () -> admin.limitSet(LimitSetRequest.newBuilder()
                        .setName("KEY_BYTES")
                        .setValue(1)
                        .build()));
        assertThat(Failing.error(
                                Code.INVALID_ARGUMENT,
                                () -> admin.forceRelease(ForceReleaseRequest.getDefaultInstance()))
                        .getSubject())
                .isEqualTo("name");
    }
}
