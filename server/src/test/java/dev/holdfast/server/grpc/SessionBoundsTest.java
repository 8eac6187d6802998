package dev.holdfast.server.grpc;

import static dev.holdfast.server.grpc.TestSession.acquire;
import static dev.holdfast.server.grpc.TestSession.grant;
import static dev.holdfast.server.grpc.TestSession.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.Attach;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.Renew;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.server.InstantLog.Behaviour;
import dev.holdfast.server.propose.BatchSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionBoundsTest {
    private static final BatchSettings PATIENT = new BatchSettings(
            2,
            4_096,
            64 * 1024,
            1024 * 1024,
            100_000,
            200_000,
            64L * 1024 * 1024,
            Duration.ofSeconds(30),
            Duration.ofMillis(250),
            Duration.ofMillis(200));

    private final TestNode node = new TestNode(PATIENT);

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void frame_of_too_many_messages_ends_the_stream() {
        TestSession session = TestSession.open(node);
        long before = node.revision();
        ClientFrame.Builder frame = ClientFrame.newBuilder();
        for (int i = 0; i <= SessionStream.MAX_MESSAGES; i++) {
            frame.addMessages(ClientMessage.newBuilder().setId(i + 1));
        }
        session.stream.onNext(frame.build());
        Error error = Failing.error(Code.QUOTA_EXCEEDED, session.frames.failure());
        assertThat(error.getLimit()).isEqualTo(SessionStream.MAX_MESSAGES);
        assertThat(node.revision()).isEqualTo(before);
    }

    @Test
    void leases_of_a_session_are_bounded_and_a_refused_attach_takes_no_room() {
        TestSession session = TestSession.open(node);
        for (int i = 1; i <= Attachments.MAX_LEASES; i++) {
            session.send(grant(i, 60_000));
        }
        for (int i = 1; i <= Attachments.MAX_LEASES; i++) {
            assertThat(session.next().hasLeaseGranted()).isTrue();
        }
        Error error = session.ask(grant(Attachments.MAX_LEASES + 1, 60_000)).getError();
        assertThat(error.getCode()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(error.getLimit()).isEqualTo(Attachments.MAX_LEASES);
        TestSession other = TestSession.open(node);
        for (int i = 1; i <= Attachments.MAX_LEASES + 1; i += 1_000) {
            for (int j = i; j < i + 1_000; j++) {
                other.send(message().setAttach(Attach.newBuilder().setLeaseId(1_000_000 + j)));
            }
            for (int j = i; j < i + 1_000; j++) {
                ServerMessage attached = other.next();
                assertThat(attached.hasAttached()).isTrue();
                assertThat(attached.getAttached().getExists()).isFalse();
            }
        }
    }

    @Test
    void a_stream_with_many_unanswered_messages_is_not_read_further_until_they_are_answered() {
        TestSession session = TestSession.open(node);
        session.ask(grant(7, 60_000));
        node.log.behave(Behaviour.PAUSE);
        int each = 1_024;
        int sent = 20 * each;
        long seq = 0;
        for (int i = 0; i < sent; i += each) {
            ClientMessage.Builder[] frame = new ClientMessage.Builder[each];
            for (int j = 0; j < each; j++) {
                frame[j] = acquire(TestNode.request(7, "a", ++seq));
            }
            session.send(frame);
        }
        long renewal = session.send(message().setRenew(Renew.newBuilder().addLeaseIds(7)));
        await().until(() -> node.core.local().queued() >= SessionMessages.WINDOW / 2);
        await().during(Duration.ofMillis(300)).until(() -> node.core.local().queued() <= SessionMessages.WINDOW + each);
        node.log.behave(Behaviour.APPLY);
        int answered = 0;
        ServerMessage answer = session.next();
        while (answer.getId() != renewal) {
            assertThat(answer.getError().getCode()).isNotEqualTo(Code.QUOTA_EXCEEDED);
            answered++;
            answer = session.next();
        }
        assertThat(answer.getRenewed().getEndMs(0)).isPositive();
        assertThat(answered).isGreaterThan(sent - SessionMessages.WINDOW - each);
    }

    @Test
    void renewal_of_too_many_leases_is_refused() {
        TestSession session = TestSession.open(node);
        Renew.Builder renew = Renew.newBuilder();
        for (int i = 1; i <= 4_097; i++) {
            renew.addLeaseIds(i);
        }
        Error error = session.ask(message().setRenew(renew)).getError();
        assertThat(error.getCode()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(error.getLimit()).isEqualTo(4_096);
    }

    @Test
    void session_sends_more_in_its_life_than_one_request_may() {
        TestSession session = TestSession.open(node);
        session.ask(grant(7, 60_000));
        ByteString metadata = ByteString.copyFrom(new byte[60_000]);
        for (int i = 0; i < 250; i++) {
            ServerMessage refused =
                    session.ask(acquire(TestNode.request(8, "a", 1).setMetadata(metadata)));
            assertThat(refused.getError().getCode()).isEqualTo(Code.LEASE_NOT_FOUND);
        }
    }

    @Test
    void session_is_closed_when_its_node_takes_over_a_snapshot() throws Exception {
        TestSession session = TestSession.open(node);
        session.ask(grant(7, 60_000));
        ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
        try (var cut = node.core.replica().cut()) {
            for (byte[] frame = cut.next(); frame != null; frame = cut.next()) {
                snapshot.write(frame);
            }
        }
        node.core
                .replica()
                .load(1, node.core.replica().appliedIndex(), new ByteArrayInputStream(snapshot.toByteArray()));
        Error error = Failing.error(Code.UNAVAILABLE, session.frames.failure());
        assertThat(error.getUnknownOutcome()).isTrue();
        await().until(() -> node.core.sessions().count() == 0);
    }

    @Test
    void client_that_does_not_read_what_it_is_sent_is_given_up() {
        Recorder<ClientFrame, ServerFrame> lazy = Recorder.lazy();
        TestSession session = new TestSession(node, lazy);
        session.send(message().setHello(Hello.getDefaultInstance()), grant(7, 60_000));
        await().until(() -> node.core.listeners().leases() == 1);
        String reason = "r".repeat(1_000);
        for (int i = 0; i <= FrameWriter.MAX_MESSAGES; i++) {
            node.core.sessions().move("", reason);
        }
        await().until(() -> node.core.sessions().count() == 0);
        Listening.nobody(node.core.listeners());
        lazy.read(Integer.MAX_VALUE);
        Error error = Failing.error(Code.UNAVAILABLE, lazy.failure());
        assertThat(error.getSubject()).isEqualTo("session");
    }

    @Test
    void a_client_that_does_not_read_is_given_up_when_its_caller_has_too_much_unread() {
        try (TestNode small = new TestNode(PATIENT, 4 * 1024 * 1024)) {
            Recorder<ClientFrame, ServerFrame> lazy = Recorder.lazy();
            new TestSession(small, lazy).send(message().setHello(Hello.getDefaultInstance()));
            await().until(() -> small.core.sessions().count() == 1);
            String reason = "r".repeat(1_000);
            for (int i = 0; i < 20_000 && small.core.sessions().count() == 1; i++) {
                small.core.sessions().move("", reason);
            }
            await().until(() -> small.core.sessions().count() == 0);
            lazy.read(Integer.MAX_VALUE);
            Error error = Failing.error(Code.UNAVAILABLE, lazy.failure());
            assertThat(error.getMessage()).contains(" bytes that ", "did not read, of at most ");
        }
    }

    @Test
    void session_that_ends_leaves_no_listener_though_nothing_was_read() {
        Recorder<ClientFrame, ServerFrame> lazy = Recorder.lazy();
        TestSession session = new TestSession(node, lazy);
        session.send(message().setHello(Hello.getDefaultInstance()), grant(7, 60_000));
        await().until(() -> node.core.listeners().leases() == 1);
        lazy.cancel();
        Listening.nobody(node.core.listeners());
        await().until(() -> node.core.sessions().count() == 0);
    }
}
