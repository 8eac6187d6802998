package dev.holdfast.core.deadlock;

import dev.holdfast.core.Budget;
import dev.holdfast.core.Limit;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Actor;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a newcomer could ever be granted if it waited.
 *
 * <p>An actor can finish if it waits for nothing, or if enough of those it waits for can finish. Whoever
 * is not in the least fixpoint of that rule is stuck. Nobody is stuck before the newcomer arrives, for
 * everyone was checked then, so the walk starts at the newcomer and follows its needs.
 */
public final class DeadlockCheck {
    /** Looking at this many holds is cheaper than the walk that it may save. */
    private static final int HOLDS_WORTH_A_LOOK = 64;

    private final State state;
    private final Transitions transitions;
    private final Blockers blockers;

    public DeadlockCheck(State state, Transitions transitions) {
        this.state = state;
        this.transitions = transitions;
        this.blockers = new Blockers(state);
    }

    /** What a check found. */
    public enum Finding {
        /** It can be granted some day. */
        FREE,
        /** The walk was longer than its bound. */
        INCOMPLETE,
        /** It never could be. */
        STUCK
    }

    /**
     * What a check found.
     *
     * @param cycle who waits for whom, around to where it began, if it is stuck
     */
    public record Verdict(Finding finding, List<Result.Blocker> cycle) {
        private static final Verdict FREE = new Verdict(Finding.FREE, List.of());
        private static final Verdict INCOMPLETE = new Verdict(Finding.INCOMPLETE, List.of());
    }

    public Verdict check(Request newcomer) {
        if (holdsNothing(newcomer) || nobodyWaitsFor(newcomer)) {
            return Verdict.FREE;
        }
        Walk walk = new Walk(newcomer);
        // An upgrade goes before those who wait already, so they must be seen to wait for it.
        boolean complete = newcomer.isUpgrade() ? transitions.asIfQueued(newcomer, walk::explore) : walk.explore();
        if (!complete) {
            return Verdict.INCOMPLETE;
        }
        walk.settle();
        return walk.start.canFinish ? Verdict.FREE : new Verdict(Finding.STUCK, walk.cycle());
    }

    /** True if no one could ever wait for the newcomer before it is granted. */
    private static boolean holdsNothing(Request newcomer) {
        return newcomer.actor() == null && !newcomer.isUpgrade();
    }

    /** True if no one waits for anything that the newcomer's actor holds; false if that is not cheap to say. */
    private boolean nobodyWaitsFor(Request newcomer) {
        Actor actor = newcomer.actor();
        if (newcomer.isUpgrade() || actor == null || state.subtreeClaims() > 0 || newcomer.hasSubtree()) {
            return false;
        }
        if (actor.holdCount() > HOLDS_WORTH_A_LOOK || !actor.waits().isEmpty()) {
            return false;
        }
        for (Request held : actor.holds()) {
            for (Claim claim = held; claim != null; claim = claim.nextLock()) {
                // Its own hold may be in its own way, or in that of one who waits.
                if (claim.lock().waiterCount() > 0 || newcomer.claimOn(claim.lock()) != null) {
                    return false;
                }
            }
        }
        return true;
    }

    /** An actor that waits, or a waiting request that has no actor. */
    private static final class Node {
        final List<Request> waits;
        final List<Dependency> dependencies = new ArrayList<>();
        boolean canFinish;

        /** Its place on the way around the cycle; below 0 while it was not visited. */
        int step = -1;

        Node(List<Request> waits) {
            this.waits = waits;
        }

        boolean isMet() {
            for (Dependency dependency : dependencies) {
                if (!dependency.isMet(this)) {
                    return false;
                }
            }
            return true;
        }

        /** The first edge that keeps it from finishing. */
        @Nullable
        Edge stuckEdge() {
            for (Dependency dependency : dependencies) {
                if (!dependency.isMet(this)) {
                    for (Edge edge : dependency.edges) {
                        if (edge.to != null && !edge.canFinishFor(this)) {
                            return edge;
                        }
                    }
                }
            }
            return null;
        }
    }

    /** @param to null for one who waits for nothing */
    private record Edge(Claim via, @Nullable Node to) {
        boolean canFinishFor(Node from) {
            return to == null || (to != from && to.canFinish);
        }
    }

    private record Dependency(int enough, List<Edge> edges) {
        boolean isMet(Node from) {
            int met = 0;
            for (Edge edge : edges) {
                met += edge.canFinishFor(from) ? 1 : 0;
            }
            return met >= enough;
        }
    }

    private final class Walk {
        final Node start;
        private final Request newcomer;
        private final IdentityHashMap<Object, Node> nodes = new IdentityHashMap<>();
        private final List<Node> found = new ArrayList<>();
        private final Budget unbounded = Budget.unlimited();
        private long visits = state.limit(Limit.WALK_VISITS);

        Walk(Request newcomer) {
            this.newcomer = newcomer;
            Actor actor = newcomer.actor();
            this.start = actor == null ? node(newcomer, List.of()) : node(actor, actor.waits());
        }

        /** Finds everyone the newcomer waits for, near or far; false if the bound was reached. */
        boolean explore() {
            for (int i = 0; i < found.size(); i++) {
                Node node = found.get(i);
                for (Request wait : node.waits) {
                    if (!follow(node, wait)) {
                        return false;
                    }
                }
                if (node == start && !follow(node, newcomer)) {
                    return false;
                }
            }
            return true;
        }

        private boolean follow(Node node, Request wait) {
            for (Blockers.Need need : blockers.of(wait, unbounded)) {
                visits -= need.claims().size();
                if (visits < 0) {
                    return false;
                }
                List<Edge> edges = new ArrayList<>(need.claims().size());
                for (Claim claim : need.claims()) {
                    edges.add(new Edge(claim, nodeOf(claim.request())));
                }
                node.dependencies.add(new Dependency(need.enough(), edges));
            }
            return true;
        }

        private @Nullable Node nodeOf(Request request) {
            Actor actor = request.actor();
            if (request.isLingering()) {
                return null;
            }
            if (actor != null) {
                boolean waits = !actor.waits().isEmpty() || actor == newcomer.actor();
                return waits ? node(actor, actor.waits()) : null;
            }
            return request.waiting() == null ? null : node(request, List.of(request));
        }

        private Node node(Object who, List<Request> waits) {
            Node known = nodes.get(who);
            if (known != null) {
                return known;
            }
            Node node = new Node(waits);
            nodes.put(who, node);
            found.add(node);
            return node;
        }

        /** Those found last are nearest to the ends of the chains: going backwards settles most at once. */
        void settle() {
            boolean changed = true;
            while (changed && !start.canFinish) {
                changed = false;
                for (int i = found.size() - 1; i >= 0; i--) {
                    Node node = found.get(i);
                    if (!node.canFinish && node.isMet()) {
                        node.canFinish = true;
                        changed = true;
                    }
                }
            }
        }

        /** Follows the first stuck edge from node to node until it comes to one it has seen. */
        List<Result.Blocker> cycle() {
            List<Result.Blocker> steps = new ArrayList<>();
            Node node = start;
            while (node != null && node.step < 0) {
                node.step = steps.size();
                Edge edge = node.stuckEdge();
                if (edge == null) {
                    break;
                }
                steps.add(state.blocker(edge.via));
                node = edge.to;
            }
            int first = node == null ? 0 : node.step;
            return List.copyOf(steps.subList(first, steps.size()));
        }
    }
}
