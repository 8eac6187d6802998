package dev.holdfast.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.FetchSnapshotRequest;
import dev.holdfast.protocol.v1.ForwardFrame;
import dev.holdfast.protocol.v1.ForwardReplyFrame;
import dev.holdfast.protocol.v1.ForwardRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.MemberListRequest;
import dev.holdfast.protocol.v1.MemberRemoveRequest;
import dev.holdfast.protocol.v1.Part;
import dev.holdfast.protocol.v1.PeerGrpc.PeerBlockingStub;
import dev.holdfast.protocol.v1.PeerGrpc.PeerStub;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that come later prove who they are as the first ones do. */
@Tag("slow")
@Timeout(240)
class SecureMembershipTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path root;

    @Test
    void a_node_and_a_witness_join_by_their_certificates_and_their_votes_count() throws Exception {
        try (SecureNodes nodes = new SecureNodes(root).form(List.of("n1", "n2", "n3"))) {
            nodes.join("n4", Map.of());
            awaitMembers(nodes, Map.of("n1", Part.VOTER, "n2", Part.VOTER, "n3", Part.VOTER, "n4", Part.VOTER));
            nodes.join("w", Map.of("node.part", "witness"));
            awaitMembers(
                    nodes,
                    Map.of("n1", Part.VOTER, "n2", Part.VOTER, "n3", Part.VOTER, "n4", Part.VOTER, "w", Part.WITNESS));

            // Three of five are left: a majority only with both that came later.
            nodes.stop("n1", "n2");
            LockServiceBlockingStub locks = nodes.client("n4", "", LockServiceBlockingStub.class);
            await().atMost(PATIENCE)
                    .ignoreException(StatusRuntimeException.class)
                    .until(() -> {
                        var lease = locks.leaseGrant(
                                LeaseGrantRequest.newBuilder().setTtl(60).build());
                        return locks.lock(LockRequest.newBuilder()
                                        .setName("after all")
                                        .setLeaseId(lease.getId())
                                        .build())
                                .getAcquired();
                    });
        }
    }

    /** Its certificate is valid for as long as before; what makes it a member is what the cluster says. */
    @Test
    void a_member_that_was_removed_neither_forwards_nor_fetches_nor_operates() throws Exception {
        Path secret = Files.writeString(root.resolve("secret"), "a secret of tests, which everybody may know");
        List<String> names = List.of("n1", "n2", "n3");
        try (SecureNodes nodes = new SecureNodes(root).form(names, Map.of("auth.keys", secret.toString()))) {
            String leader = nodes
                    .client("n1", "n1", AdminBlockingStub.class)
                    .memberList(MemberListRequest.getDefaultInstance())
                    .getMembersList()
                    .stream()
                    .filter(MemberInfo::getLeader)
                    .findFirst()
                    .orElseThrow()
                    .getName();
            String leaving = leader.equals("n3") ? "n2" : "n3";
            BlockingQueue<String> heard = new LinkedBlockingQueue<>();
            StreamObserver<ForwardFrame> stream =
                    nodes.client(leader, leaving, PeerStub.class).forward(tellTo(heard));
            ForwardFrame barrier = ForwardFrame.newBuilder()
                    .addRequests(ForwardRequest.newBuilder().setId(1).setBarrier(true))
                    .build();
            stream.onNext(barrier);
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("answered");
            PeerBlockingStub peer = nodes.client(leader, leaving, PeerBlockingStub.class);
            FetchSnapshotRequest fetch =
                    FetchSnapshotRequest.newBuilder().setLowestIndex(1_000_000).build();
            assertThat(codeOf(catchThrowable(() -> peer.fetchSnapshot(fetch).next())))
                    .isEqualTo(Code.NOT_FOUND);
            AdminBlockingStub admin = nodes.client(leader, leaving, AdminBlockingStub.class);
            assertThat(admin.memberList(MemberListRequest.getDefaultInstance()).getMembersCount())
                    .isEqualTo(3);

            var unused = nodes.client(leader, leader, AdminBlockingStub.class)
                    .memberRemove(
                            MemberRemoveRequest.newBuilder().setMember(leaving).build());
            stream.onNext(barrier);
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("PERMISSION_DENIED");
            assertThat(codeOf(catchThrowable(() -> peer.fetchSnapshot(fetch).next())))
                    .isEqualTo(Code.PERMISSION_DENIED);
            assertThat(codeOf(catchThrowable(() -> admin.memberList(MemberListRequest.getDefaultInstance()))))
                    .isEqualTo(Code.UNAUTHENTICATED);
        }
    }

    private static StreamObserver<ForwardReplyFrame> tellTo(BlockingQueue<String> heard) {
        return new StreamObserver<>() {
            @Override
            public void onNext(ForwardReplyFrame frame) {
                heard.add("answered");
            }

            @Override
            public void onError(Throwable failure) {
                heard.add(codeOf(failure).name());
            }

            @Override
            public void onCompleted() {
                heard.add("completed");
            }
        };
    }

    private static Code codeOf(Throwable failure) {
        return Errors.of(failure).map(Error::getCode).orElse(Code.OK);
    }

    private static void awaitMembers(SecureNodes nodes, Map<String, Part> expected) {
        AdminBlockingStub admin = nodes.client("n3", "", AdminBlockingStub.class);
        await().atMost(PATIENCE)
                .ignoreException(StatusRuntimeException.class)
                .untilAsserted(() -> assertThat(
                                admin.memberList(MemberListRequest.getDefaultInstance()).getMembersList().stream()
                                        .collect(Collectors.toMap(MemberInfo::getName, MemberInfo::getPart)))
                        .isEqualTo(expected));
    }
}
