package dev.holdfast.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.MemberListRequest;
import dev.holdfast.protocol.v1.Part;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
