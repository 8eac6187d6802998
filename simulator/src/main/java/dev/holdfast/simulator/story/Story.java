package dev.holdfast.simulator.story;

import dev.holdfast.client.api.Grant;
import dev.holdfast.guard.Access;
import dev.holdfast.guard.MemoryGuard;
import dev.holdfast.guard.StaleTokenException;
import dev.holdfast.simulator.client.SimulatedClient;
import dev.holdfast.simulator.node.SimulatedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What locks, leases, tokens and replicas are for, one story each. */
public enum Story {
    CONTENTION("three clients want the same lock at once and take turns") {
        @Override
        boolean play(long seed, Consumer<String> out) {
            Stage stage = new Stage(seed, 1, Duration.ofSeconds(5), out);
            List<String> turns = new ArrayList<>();
            int[] inside = {0};
            boolean[] alone = {true};
            for (int i = 1; i <= 3; i++) {
                SimulatedClient client = stage.client("client-" + i);
                String name = client.process().name();
                Duration work = Duration.ofSeconds(List.of(3, 2, 4).get(i - 1));
                stage.lock(client, DATABASE, grant -> {
                    turns.add(name);
                    alone[0] &= ++inside[0] == 1;
                    stage.later(client, work, () -> {
                        inside[0]--;
                        stage.say(name, "is done after " + work.toSeconds() + " s and gives it back");
                        grant.close();
                    });
                });
            }
            stage.until(Duration.ofSeconds(20));
            return alone[0] && turns.size() == 3;
        }
    },

    CRASH("a holder dies without a word, and its lease runs out") {
        @Override
        boolean play(long seed, Consumer<String> out) {
            Stage stage = new Stage(seed, 1, Duration.ofSeconds(3), out);
            SimulatedClient failing = stage.client("client-1");
            stage.lock(failing, DATABASE, grant -> {});
            stage.until(Duration.ofSeconds(1));
            stage.say("client-1", "CRASHES; nobody gives its lock back");
            failing.kill();
            List<Duration> taken = new ArrayList<>();
            stage.lock(stage.client("client-2"), DATABASE, grant -> taken.add(stage.now()));
            stage.until(Duration.ofSeconds(15));
            return taken.size() == 1 && taken.get(0).compareTo(Duration.ofSeconds(3)) >= 0;
        }
    },

    FENCING("a holder is paused for longer than its lease, wakes up and writes") {
        @Override
        boolean play(long seed, Consumer<String> out) {
            Stage stage = new Stage(seed, 1, Duration.ofSeconds(3), out);
            MemoryGuard store = new MemoryGuard();
            SimulatedClient first = stage.client("client-1");
            boolean[] wrote = new boolean[2];
            stage.lock(first, DATABASE, grant -> {
                stage.say("client-1", "is paused for 5 s, before it has written anything");
                stage.later(first, Duration.ofMillis(1), () -> {
                    stage.say(
                            "client-1",
                            "wakes up and writes with token " + grant.token() + "; it believes "
                                    + (grant.isValid()
                                            ? "that it holds the lock"
                                            : "nothing any more, but does not look"));
                    wrote[0] = write(stage, store, "client-1", grant);
                });
                first.process().stop();
            });
            stage.until(Duration.ofSeconds(4));
            SimulatedClient second = stage.client("client-2");
            stage.lock(second, DATABASE, grant -> {
                wrote[1] = write(stage, store, "client-2", grant);
                grant.close();
            });
            stage.until(Duration.ofSeconds(5));
            first.process().resume();
            stage.until(Duration.ofSeconds(15));
            return wrote[1] && !wrote[0];
        }
    },

    REPLICATED("the leader dies while a lock is held and another client waits for it") {
        @Override
        boolean play(long seed, Consumer<String> out) {
            Stage stage = new Stage(seed, 3, Duration.ofSeconds(5), out);
            List<Long> tokens = new ArrayList<>();
            SimulatedClient first = stage.client("client-1");
            boolean[] kept = new boolean[1];
            stage.lock(first, DATABASE, grant -> {
                tokens.add(grant.token());
                stage.later(first, Duration.ofSeconds(6), () -> {
                    kept[0] = grant.isValid();
                    stage.say("client-1", "is done; its lock was " + (kept[0] ? "its own all the time" : "lost"));
                    grant.close();
                });
            });
            stage.until(Duration.ofSeconds(2));
            stage.lock(stage.client("client-2"), DATABASE, grant -> tokens.add(grant.token()));
            stage.until(Duration.ofSeconds(3));
            SimulatedNode leader = stage.cluster().leader().orElseThrow();
            stage.say(leader.process().name(), "the leader DIES; two of three nodes are left");
            leader.kill();
            stage.until(Duration.ofSeconds(15));
            stage.cluster().leader().ifPresent(next -> stage.say(next.process().name(), "leads now"));
            return kept[0] && tokens.size() == 2 && tokens.get(1) > tokens.get(0);
        }
    };

    private static final String DATABASE = "database";

    private final String about;

    Story(String about) {
        this.about = about;
    }

    /** In one line. */
    public String about() {
        return about;
    }

    /** Tells it; says whether it came out as it should. */
    public boolean tell(long seed, Consumer<String> out) {
        return play(seed, out);
    }

    abstract boolean play(long seed, Consumer<String> out);

    private static boolean write(Stage stage, MemoryGuard store, String who, Grant grant) {
        try {
            return store.enter(Access.exclusive(DATABASE, grant.token()), entry -> {
                stage.say("store", "takes what " + who + " writes, token " + grant.token());
                return true;
            });
        } catch (StaleTokenException e) {
            stage.say("store", "REFUSES " + who + ": " + e.getMessage());
            return false;
        }
    }
}
