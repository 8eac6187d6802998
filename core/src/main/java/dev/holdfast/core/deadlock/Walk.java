package dev.holdfast.core.deadlock;

import dev.holdfast.core.Budget;
import dev.holdfast.core.state.Actor;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom, seen from a newcomer.
 *
 * <p>Every claim that is looked at counts against the budget, and what follows costs no more than that again: each
 * edge is passed once when its end turns out to finish, and each node knows how much it still lacks.
 */
final class Walk {
    private final Blockers blockers;
    private final Request newcomer;
    private final Budget budget;
    private final IdentityHashMap<Object, Node> nodes = new IdentityHashMap<>();
    private final List<Node> found = new ArrayList<>();
    private final Node start;

    Walk(Blockers blockers, Request newcomer, Budget budget) {
        this.blockers = blockers;
        this.newcomer = newcomer;
        this.budget = budget;
        Actor actor = newcomer.actor();
        this.start = actor == null ? node(newcomer, newcomer, null) : node(actor, null, actor);
    }

    /** An actor that waits, or a waiting request that has no actor. */
    private static final class Node {
        final @Nullable Request request;
        final @Nullable Actor actor;

        /** What it lacks; those that were met at once are not among them. */
        final List<Dependency> dependencies = new ArrayList<>(2);

        /** The edges that end here: what its end would do for others. */
        final List<Edge> waitedFor = new ArrayList<>(2);

        int unmet;
        boolean canFinish;

        /** Its place on the way around the cycle; below 0 while it was not visited. */
        int step = -1;

        Node(@Nullable Request request, @Nullable Actor actor) {
            this.request = request;
            this.actor = actor;
        }
    }

    /** What must go, and does not by itself, before its node can finish. */
    private static final class Dependency {
        final Node of;
        final List<Edge> edges = new ArrayList<>(2);
        int missing;

        Dependency(Node of, int missing) {
            this.of = of;
            this.missing = missing;
        }
    }

    private record Edge(Dependency from, Claim via, Node to, int worth) {}

    /** Finds everyone the newcomer waits for, near or far; false if the budget was spent on it. */
    boolean explore() {
        for (int i = 0; i < found.size(); i++) {
            Node node = found.get(i);
            Actor actor = node.actor;
            for (int wait = 0; actor != null && wait < actor.waitCount(); wait++) {
                // What is left of a closed lease goes by itself.
                boolean goes = actor.wait(wait).lease().ending() != null;
                if (goes ? !budget.visit() : !follow(node, actor.wait(wait))) {
                    return false;
                }
            }
            Request request = node == start ? newcomer : node.request;
            if (request != null && !follow(node, request)) {
                return false;
            }
        }
        return true;
    }

    private boolean follow(Node node, Request wait) {
        for (Blockers.Need need : blockers.of(wait, budget)) {
            Dependency dependency = new Dependency(node, need.enough());
            for (Claim claim : need.claims()) {
                Node to = nodeOf(claim.request());
                int worth = need.worth(claim);
                if (to == null) {
                    dependency.missing -= worth;
                } else {
                    dependency.edges.add(new Edge(dependency, claim, to, worth));
                }
            }
            if (dependency.missing > 0) {
                node.unmet++;
                node.dependencies.add(dependency);
                for (Edge edge : dependency.edges) {
                    edge.to.waitedFor.add(edge);
                }
            }
        }
        return !budget.isSpent();
    }

    /** Null for one who waits for nothing. */
    private @Nullable Node nodeOf(Request request) {
        Actor actor = request.actor();
        if (request.isLingering() || request.lease().ending() != null) {
            return null;
        }
        if (actor != null) {
            return actor.isWaiting() || actor == newcomer.actor() ? node(actor, null, actor) : null;
        }
        return request.waiting() == null ? null : node(request, request, null);
    }

    private Node node(Object who, @Nullable Request request, @Nullable Actor actor) {
        Node known = nodes.get(who);
        if (known != null) {
            return known;
        }
        Node node = new Node(request, actor);
        nodes.put(who, node);
        found.add(node);
        return node;
    }

    /** Whether the newcomer is in the least fixpoint of those who can finish. */
    boolean canFinish() {
        ArrayDeque<Node> finishing = new ArrayDeque<>();
        for (Node node : found) {
            if (node.unmet == 0) {
                node.canFinish = true;
                finishing.add(node);
            }
        }
        while (!finishing.isEmpty() && !start.canFinish) {
            for (Edge edge : finishing.remove().waitedFor) {
                Dependency dependency = edge.from;
                boolean wasUnmet = dependency.missing > 0;
                dependency.missing -= edge.worth;
                if (wasUnmet && dependency.missing <= 0 && --dependency.of.unmet == 0) {
                    dependency.of.canFinish = true;
                    finishing.add(dependency.of);
                }
            }
        }
        return start.canFinish;
    }

    /** Follows the first stuck edge from node to node until it comes to one it has seen. */
    List<Claim> cycle() {
        List<Claim> steps = new ArrayList<>();
        Node node = start;
        while (node.step < 0) {
            node.step = steps.size();
            Edge edge = stuckEdge(node);
            if (edge == null) {
                break;
            }
            steps.add(edge.via);
            node = edge.to;
        }
        return steps.subList(node.step, steps.size());
    }

    /** The first edge that keeps it from finishing. */
    private static @Nullable Edge stuckEdge(Node node) {
        for (Dependency dependency : node.dependencies) {
            if (dependency.missing > 0) {
                for (Edge edge : dependency.edges) {
                    if (!edge.to.canFinish) {
                        return edge;
                    }
                }
            }
        }
        return null;
    }
}
