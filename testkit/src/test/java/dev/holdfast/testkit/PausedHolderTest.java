package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.Loss;
import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.FencingGuard;
import dev.holdfast.guard.MemoryGuard;
import dev.holdfast.guard.StaleTokenException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a holder finds that did not run for a while. The time limits are far below what it believes to have missed. */
@Timeout(20)
@ExtendWith(HoldfastExtension.class)
class PausedHolderTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void holder_paused_beyond_its_lease_finds_its_grant_invalid_and_another_has_it(TestCluster cluster)
            throws Exception {
        Grant held = cluster.client("a").lock("k").acquire();
        CompletableFuture<Grant> next = cluster.client("b").lock("k").acquireAsync();
        cluster.pause("a", LONG);
        assertThat(held.isValid()).isFalse();
        assertThatThrownBy(() -> held.requireValid(Duration.ZERO)).isInstanceOf(LockLostException.class);
        Grant later = next.get();
        assertThat(later.isValid()).isTrue();
        assertThat(later.token()).isGreaterThan(held.token());
        assertThat(held.lost().toCompletableFuture().get().reason()).isIn(Loss.Reason.UNREACHABLE, Loss.Reason.EXPIRED);
    }

    @Test
    void holder_paused_within_its_lease_keeps_its_grant(TestCluster cluster) throws Exception {
        Grant held = cluster.client("a").lock("k").acquire();
        cluster.pause("a", Duration.ofSeconds(5));
        assertThat(held.isValid()).isTrue();
        assertThat(cluster.client("b").lock("k").tryAcquire()).isEmpty();
        cluster.advance(LONG);
        assertThat(held.isValid()).as("it is renewed again").isTrue();
    }

    @Test
    void holder_whose_machine_slept_finds_its_grant_invalid_too(TestCluster cluster) throws Exception {
        Grant held = cluster.client("a").lock("k").acquire();
        cluster.suspend("a", LONG);
        assertThat(held.isValid()).isFalse();
        assertThat(cluster.client("b").lock("k").tryAcquire()).isPresent();
    }

    @Test
    void what_a_stopped_client_is_asked_for_waits_until_it_goes_on(TestCluster cluster) throws Exception {
        HoldfastClient client = cluster.client("a");
        cluster.stop("a");
        CompletableFuture<Grant> asked = client.lock("k").acquireAsync();
        cluster.advance(LONG);
        assertThat(asked).isNotDone();
        assertThat(cluster.client("b").get("k")).isEmpty();
        cluster.resume("a");
        assertThat(asked.get(10, TimeUnit.SECONDS).isValid()).isTrue();
    }

    @Test
    void guard_refuses_who_was_paused_between_check_and_write(TestCluster cluster) throws Exception {
        Counter counter = new Counter(new MemoryGuard());
        Worker slow = new Worker(cluster.client("slow"), counter, () -> {
            cluster.pause("slow", LONG);
            new Worker(cluster.client("quick"), counter, () -> {}).addOne();
        });
        assertThatThrownBy(slow::addOne).isInstanceOf(StaleTokenException.class);
        assertThat(counter.value.get()).isEqualTo(1);
    }

    @Test
    void without_a_guard_the_same_code_loses_an_update(TestCluster cluster) throws Exception {
        Counter counter = new Counter(new NoGuard());
        Worker slow = new Worker(cluster.client("slow"), counter, () -> {
            cluster.pause("slow", LONG);
            new Worker(cluster.client("quick"), counter, () -> {}).addOne();
        });
        slow.addOne();
        assertThat(counter.value.get()).as("two updates were acknowledged").isEqualTo(1);
    }

    private record Worker(HoldfastClient client, Counter counter, Interruption beforeWrite) {
        void addOne() throws Exception {
            try (Grant grant = client.lock("counter").acquire()) {
                Access access = Access.exclusive(grant.key(), grant.token());
                int read = counter.guard.enter(access, entry -> counter.value.get());
                grant.requireValid(Duration.ofSeconds(1));
                beforeWrite.happen();
                counter.guard.enter(access, entry -> counter.value.getAndSet(read + 1));
            }
        }
    }

    private interface Interruption {
        void happen() throws Exception;
    }

    private static final class Counter {
        private final FencingGuard guard;
        private final AtomicInteger value = new AtomicInteger();

        Counter(FencingGuard guard) {
            this.guard = guard;
        }
    }

    private static final class NoGuard implements FencingGuard {
        @Override
        public Entry enter(Access access) {
            return Entry.NEW;
        }
    }
}
