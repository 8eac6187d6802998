package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.DowngradeRequest;
import dev.holdfast.protocol.v1.ForceReleaseRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UnlockResponse.Outcome;
import dev.holdfast.protocol.v1.UpgradeRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Giving back and renewing need no permission, so anybody can try it with a key and a token that they guess. One who may
 * not read the key is answered alike whether somebody holds it under that token, held it, or never did.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StrangerTest {
    private static final String ADA = SecuredNode.token("ada", "", Verb.ADMIN);
    private static final String ANN = SecuredNode.token("ann", "acme", Verb.LOCK);
    private static final String BOB = SecuredNode.token("bob", "acme", Verb.LOCK);
    private static final String OZ = SecuredNode.token("oz", "other", Verb.LOCK);

    /** The same principal as {@link #ANN}, after its permissions were taken away. */
    private static final String ANN_NO_MORE =
            SecuredNode.token("ann", "acme", "acme/elsewhere/", Verb.LOCK, Duration.ofMinutes(10));

    private static final String NOBODYS = Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(
                    ByteBuffer.allocate(24).putLong(7).putLong(8).putLong(9).array());

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger sequence = new AtomicInteger();
    private SecuredNode node;

    @SuppressWarnings("NullAway.Init")
    StrangerTest() {}

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        node = new SecuredNode(directory, Map.of());
    }

    @AfterAll
    void stop() {
        node.close();
    }

    private long lease(String token) {
        long id = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        var unused = node.locks(token)
                .leaseGrant(LeaseGrantRequest.newBuilder().setId(id).setTtl(600).build());
        return id;
    }

    private long lock(String token, long lease, String key) {
        return node.locks(token)
                .tryLock(TryLockRequest.newBuilder()
                        .setName(key)
                        .setLeaseId(lease)
                        .setSeq(sequence.incrementAndGet())
                        .build())
                .getFencingToken();
    }

    private Outcome unlock(String token, long lease, String key, long grant) {
        return node.locks(token).unlock(unlocking(lease, key, grant)).getOutcome();
    }

    private static UnlockRequest unlocking(long lease, String key, long grant) {
        return UnlockRequest.newBuilder()
                .setLeaseId(lease)
                .setName(key)
                .setFencingToken(grant)
                .build();
    }

    /** What the caller of a gRPC call sees, but for the header, which tells the revision of everything. */
    private static String seen(Supplier<String> call) {
        String[] answer = new String[1];
        Throwable failure = catchThrowable(() -> answer[0] = call.get());
        return failure == null ? answer[0] : Errors.of(failure).orElseThrow() + " " + failure.getMessage();
    }

    private String everyCall(String token, long lease, String key, long grant) {
        LockServiceBlockingStub locks = node.locks(token);
        int seq = sequence.incrementAndGet();
        String all = seen(() -> locks.unlock(unlocking(lease, key, grant)).toBuilder()
                        .clearHeader()
                        .build()
                        .toString())
                + seen(() -> locks.downgrade(DowngradeRequest.newBuilder()
                                .setLeaseId(lease)
                                .setName(key)
                                .setFencingToken(grant)
                                .build())
                        .toString())
                + seen(() -> locks.upgrade(UpgradeRequest.newBuilder()
                                .setLeaseId(lease)
                                .setName(key)
                                .setFencingToken(grant)
                                .setSeq(seq)
                                .build())
                        .toString())
                + seen(() -> locks.describe(DescribeRequest.newBuilder()
                                .setLeaseId(lease)
                                .setName(key)
                                .setFencingToken(grant)
                                .setMetadata(ByteString.copyFromUtf8("mine"))
                                .build())
                        .toString());
        return all.replace(key, "KEY");
    }

    @Test
    void over_grpc_a_grant_of_another_tenant_looks_like_none() {
        long oz = lease(OZ);
        long ended = lock(OZ, oz, "other/ended");
        assertThat(unlock(OZ, oz, "other/ended", ended)).isEqualTo(Outcome.RELEASED);
        long held = lock(OZ, oz, "other/held");
        long ann = lease(ANN);

        String answers = everyCall(ANN, ann, "other/held", held);

        assertThat(everyCall(ANN, ann, "other/ended", ended)).isEqualTo(answers);
        assertThat(everyCall(ANN, ann, "other/never", held)).isEqualTo(answers);
        assertThat(unlock(OZ, oz, "other/held", held)).isEqualTo(Outcome.RELEASED);
    }

    @Test
    void one_who_may_read_the_key_is_told_that_the_grant_is_anothers() {
        long ann = lease(ANN);
        long held = lock(ANN, ann, "acme/held");
        long bob = lease(BOB);

        assertThat(everyCall(BOB, bob, "acme/held", held)).contains("NOT_HOLDER");
        assertThat(unlock(ANN, ann, "acme/held", held)).isEqualTo(Outcome.RELEASED);
    }

    @Test
    void one_who_may_read_no_more_gives_back_what_it_took_and_is_told_so_again() {
        long ann = lease(ANN);
        long held = lock(ANN, ann, "acme/kept");

        assertThat(unlock(ANN_NO_MORE, ann, "acme/kept", held)).isEqualTo(Outcome.RELEASED);
        assertThat(unlock(ANN_NO_MORE, ann, "acme/kept", held)).isEqualTo(Outcome.ALREADY_RELEASED);
    }

    /** A lock over REST. */
    private record Lock(String id, String secret, long grant) {}

    private String send(String method, String path, String body, String token, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + node.port + "/api/v1/locks" + path))
                .timeout(Duration.ofSeconds(20))
                .header("authorization", "Bearer " + token)
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private Lock lock(String key, String token) throws Exception {
        String answer = send("POST", "", "{\"resourceId\": \"" + key + "\"}", token);
        assertThat(answer).startsWith("201 ");
        JsonNode body = new JsonMapper().readTree(answer.substring(4));
        return new Lock(
                body.get("lockId").asText(),
                body.get("lockToken").asText(),
                body.get("fencingToken").asLong());
    }

    private String release(String lockId, String secret, String token) throws Exception {
        return send("DELETE", "/" + lockId, "", token, "X-Lock-Token", secret);
    }

    private String everyRoute(String lockId, String secret, String token) throws Exception {
        String renewed = send("PUT", "/" + lockId + "/renew", "{\"additionalTtl\": 1}", token, "X-Lock-Token", secret);
        return renewed + release(lockId, secret, token);
    }

    private static String named(String key, long grant) {
        byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(ByteBuffer.allocate(8 + utf8.length)
                        .putLong(grant)
                        .put(utf8)
                        .array());
    }

    private void takeAway(String key, long grant) {
        var unused = node.client(AdminBlockingStub.class, ADA)
                .forceRelease(ForceReleaseRequest.newBuilder()
                        .setName(key)
                        .setFencingToken(grant)
                        .setReason("test")
                        .build());
    }

    @Test
    void over_rest_a_lock_of_another_tenant_looks_like_none_whatever_secret_comes_with_it() throws Exception {
        Lock ended = lock("other/rest/ended", OZ);
        assertThat(release(ended.id(), ended.secret(), OZ)).startsWith("200 ");
        Lock taken = lock("other/rest/taken", OZ);
        takeAway("other/rest/taken", taken.grant());
        Lock held = lock("other/rest/held", OZ);
        String never = named("other/rest/never", held.grant());
        Lock living = lock("acme/rest/living", ANN);
        Lock over = lock("acme/rest/over", ANN);
        assertThat(release(over.id(), over.secret(), ANN)).startsWith("200 ");
        Lock lost = lock("acme/rest/lost", ANN);
        takeAway("acme/rest/lost", lost.grant());

        for (String secret : new String[] {NOBODYS, living.secret(), over.secret(), lost.secret(), held.secret()}) {
            String answers = everyRoute(held.id(), secret, ANN);
            assertThat(answers).doesNotContain("200 ");
            assertThat(everyRoute(ended.id(), secret, ANN)).isEqualTo(answers);
            assertThat(everyRoute(taken.id(), secret, ANN)).isEqualTo(answers);
            assertThat(everyRoute(never, secret, ANN)).isEqualTo(answers);
        }
        assertThat(release(living.id(), living.secret(), ANN)).startsWith("200 ");
        assertThat(release(held.id(), held.secret(), OZ)).startsWith("200 ");
    }

    @Test
    void over_rest_how_a_lock_ended_is_told_to_nobody_with_the_secret_of_another() throws Exception {
        Lock taken = lock("acme/rest/ended/taken", BOB);
        takeAway("acme/rest/ended/taken", taken.grant());
        Lock over = lock("acme/rest/ended/over", ANN);
        assertThat(release(over.id(), over.secret(), ANN)).startsWith("200 ");

        assertThat(release(taken.id(), over.secret(), ANN)).doesNotContain("FORCED");
        assertThat(release(taken.id(), taken.secret(), BOB)).contains("FORCED");
    }

    @Test
    void over_rest_one_who_may_read_no_more_gives_back_what_it_took_and_is_told_so_again() throws Exception {
        Lock kept = lock("acme/rest/kept", ANN);

        assertThat(send(
                        "PUT",
                        "/" + kept.id() + "/renew",
                        "{\"additionalTtl\": 1}",
                        ANN_NO_MORE,
                        "X-Lock-Token",
                        kept.secret()))
                .startsWith("200 ");
        assertThat(release(kept.id(), kept.secret(), ANN_NO_MORE)).startsWith("200 ");
        assertThat(release(kept.id(), kept.secret(), ANN_NO_MORE))
                .startsWith("200 ")
                .contains("\"alreadyReleased\":true");
    }
}
