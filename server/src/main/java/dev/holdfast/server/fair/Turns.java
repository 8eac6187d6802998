package dev.holdfast.server.fair;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lines of things, one for each flow, which take turns by what things cost: deficit round robin between parties, and
 * within a party between its connections.
 *
 * <p>A turn ends when things worth {@link #TURN} were taken. The last of them may cost more than was left, which is
 * then owed in the next turn: whoever asks for much at once waits longer until it is its turn again. A line that is
 * empty is forgotten, and what it owed with it.
 *
 * <p>Confined to one thread.
 */
public final class Turns<T> {
    /** What a turn is worth, in bytes: some thirty small commands. */
    public static final int TURN = 4 * 1024;

    /** What each thing costs, however small it is. */
    private static final int LEAST_COST = 64;

    private final Ring<Party<T>> parties = new Ring<>();
    private int size;
    private int lines;

    /** One who takes turns with others. */
    private abstract static class Member {
        private final String name;
        private long credit;

        Member(String name) {
            this.name = name;
        }

        abstract boolean isEmpty();
    }

    /** Members in the order of their turns. */
    private static final class Ring<M extends Member> {
        private final Map<String, M> members = new HashMap<>();
        private final ArrayDeque<M> order = new ArrayDeque<>();

        @Nullable
        M find(String name) {
            return members.get(name);
        }

        M add(M member) {
            members.put(((Member) member).name, member);
            order.add(member);
            return member;
        }

        /** Whose turn it is; there must be one. */
        M first() {
            while (true) {
                M first = order.element();
                Member member = first;
                if (member.credit <= 0) {
                    member.credit += TURN;
                }
                if (member.credit > 0) {
                    return first;
                }
                order.add(order.remove());
            }
        }

        /** Something of the first was taken. Whether the first is empty now, and so gone. */
        boolean spent(int cost) {
            Member first = order.element();
            first.credit -= cost;
            if (first.isEmpty()) {
                order.remove();
                members.remove(first.name);
                return true;
            }
            if (first.credit <= 0) {
                order.add(order.remove());
            }
            return false;
        }
    }

    private static final class Party<T> extends Member {
        private final Ring<Line<T>> connections = new Ring<>();

        Party(String name) {
            super(name);
        }

        @Override
        boolean isEmpty() {
            return connections.order.isEmpty();
        }
    }

    private static final class Line<T> extends Member {
        private final ArrayDeque<Thing<T>> things = new ArrayDeque<>();

        Line(String name) {
            super(name);
        }

        @Override
        boolean isEmpty() {
            return things.isEmpty();
        }
    }

    private record Thing<T>(T value, int cost) {}

    /** Puts something at the end of its flow's line. */
    public void add(Flow flow, int bytes, T value) {
        Party<T> party = parties.find(flow.party());
        if (party == null) {
            party = parties.add(new Party<>(flow.party()));
        }
        Line<T> line = party.connections.find(flow.connection());
        if (line == null) {
            line = party.connections.add(new Line<>(flow.connection()));
            lines++;
        }
        line.things.add(new Thing<>(value, Math.max(bytes, LEAST_COST)));
        size++;
    }

    /** Takes what is next; nothing if there is nothing. */
    public @Nullable T poll() {
        if (size == 0) {
            return null;
        }
        Party<T> party = parties.first();
        Thing<T> thing = party.connections.first().things.remove();
        if (party.connections.spent(thing.cost())) {
            lines--;
        }
        parties.spent(thing.cost());
        size--;
        return thing.value();
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    /** What it takes to give every line its turn, in bytes. */
    public long round() {
        return (long) lines * TURN;
    }

    /** Takes everything, in the order of turns. */
    public List<T> clear() {
        List<T> taken = new ArrayList<>(size);
        for (T next = poll(); next != null; next = poll()) {
            taken.add(next);
        }
        return taken;
    }

    /** Takes all things of the lines of whose first this is true. */
    public List<T> clearLines(Predicate<T> ofFirst) {
        List<T> taken = new ArrayList<>(0);
        for (Party<T> party : List.copyOf(parties.order)) {
            for (Line<T> line : List.copyOf(party.connections.order)) {
                if (ofFirst.test(line.things.element().value())) {
                    line.things.forEach(thing -> taken.add(thing.value()));
                    party.connections.order.remove(line);
                    party.connections.members.remove(((Member) line).name);
                    lines--;
                }
            }
            if (party.isEmpty()) {
                parties.order.remove(party);
                parties.members.remove(((Member) party).name);
            }
        }
        size -= taken.size();
        return taken;
    }
}
