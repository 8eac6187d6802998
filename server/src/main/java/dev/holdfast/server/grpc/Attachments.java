package dev.holdfast.server.grpc;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.event.Event;
import dev.holdfast.server.operation.PendingRequest.News;
import dev.holdfast.server.replica.LeaseListeners;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Stamp;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The leases a session is told about. Confined to the session's event loop.
 *
 * <pre>
 * – --{@link #begin}--> PENDING --it is the caller's--> ATTACHED --it ended, or the session did--> –
 *                          +------it is not-----------> –
 * </pre>
 *
 * What happens to a pending lease is kept, and told only once the lease is known to be the caller's.
 */
final class Attachments {
    static final int MAX_LEASES = 10_000;

    /** What may happen to a lease before it is known whose it is. */
    private static final int MAX_PENDING = 10_000;

    private final LeaseListeners listeners;
    private final LockReplica replica;
    private final EventLoop loop;
    private final Session session;
    private final Map<LeaseId, Attachment> byLease = new HashMap<>();

    /** Who is told. */
    interface Session {
        void happened(News news);

        /** Events may have been missed. */
        void interrupted();
    }

    Attachments(LeaseListeners listeners, LockReplica replica, EventLoop loop, Session session) {
        this.listeners = listeners;
        this.replica = replica;
        this.loop = loop;
        this.session = session;
    }

    /** Listens from now on; {@link #end} follows. */
    void begin(LeaseId lease) {
        Attachment attachment = byLease.get(lease);
        if (attachment == null) {
            if (byLease.size() >= MAX_LEASES) {
                throw Rejected.quota("leases on a session", MAX_LEASES, byLease.size() + 1L);
            }
            attachment = new Attachment(lease);
            byLease.put(lease, attachment);
            listeners.add(lease, attachment);
        }
        attachment.unconfirmed++;
    }

    /**
     * The beginning is over.
     *
     * @param known whether the lease is the caller's; not if there is no such lease, or nobody knows
     */
    void end(LeaseId lease, boolean known) {
        Attachment attachment = byLease.get(lease);
        if (attachment == null) {
            return;
        }
        attachment.unconfirmed--;
        if (known) {
            attachment.attached = true;
            List<News> kept = attachment.kept;
            attachment.kept = new ArrayList<>(0);
            kept.forEach(news -> tell(attachment, news));
        } else if (!attachment.attached && attachment.unconfirmed == 0) {
            end(attachment);
        }
    }

    boolean isAttached(long lease) {
        Attachment attachment = lease == 0 ? null : byLease.get(new LeaseId(lease));
        return attachment != null && attachment.attached;
    }

    void close() {
        List.copyOf(byLease.values()).forEach(this::end);
    }

    private void happened(Attachment attachment, News news) {
        if (byLease.get(attachment.lease) != attachment) {
            return;
        }
        if (attachment.attached) {
            tell(attachment, news);
        } else if (attachment.kept.size() < MAX_PENDING) {
            attachment.kept.add(news);
        } else {
            session.interrupted();
        }
    }

    private void tell(Attachment attachment, News news) {
        session.happened(news);
        if (news.event() instanceof Event.LeaseEnded) {
            end(attachment);
        }
    }

    private void end(Attachment attachment) {
        byLease.remove(attachment.lease, attachment);
        listeners.remove(attachment.lease, attachment);
    }

    /** Brings what the apply thread sees over to the event loop. */
    private final class Attachment implements LeaseListeners.Listener {
        private final LeaseId lease;
        private List<News> kept = new ArrayList<>(0);
        private int unconfirmed;
        private boolean attached;

        Attachment(LeaseId lease) {
            this.lease = lease;
        }

        @Override
        public void happened(Event event, Stamp stamp) {
            switch (event.kind()) {
                case LEASE_STARTED, QUEUED -> {} // the answer says so
                case LEASE_EXTENDED, LEASE_ENDED, LEFT, GRANTED, RELEASED, MODE_CHANGED, DESCRIBED, DELAY_ENDED -> {
                    News news = News.of(event, stamp, replica);
                    loop.execute(() -> Attachments.this.happened(this, news));
                }
            }
        }

        @Override
        public void interrupted() {
            loop.execute(session::interrupted);
        }
    }
}
