package dev.holdfast.guard;

import dev.holdfast.guard.Verdict.Entered;
import dev.holdfast.guard.Verdict.OutOfOrder;
import dev.holdfast.guard.Verdict.Stale;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a guard remembers about one key: who has entered. This is the rule of {@link FencingGuard} in one place, as a
 * value that every guard keeps where its data is.
 *
 * <pre>
 * access      passes from the highest of      raises
 * exclusive   exclusive, shared, permits      exclusive
 * shared      exclusive, permits              shared
 * permit i    exclusive, shared, permit i     permit i
 * </pre>
 *
 * @param exclusive the mark of exclusive accesses
 * @param shared the highest token of shared accesses; 0 if the other marks say as much
 * @param permits the marks of permits by slot; only those that say more than the other marks
 */
public record Marks(Mark exclusive, long shared, SortedMap<Integer, Mark> permits) {
    /** Nobody has entered. */
    public static final Marks NONE = new Marks(Mark.NONE, 0, Collections.emptySortedMap());

    public Marks {
        if (shared < 0) {
            throw new IllegalArgumentException("shared: must not be negative, is " + shared);
        }
        permits = Collections.unmodifiableSortedMap(new TreeMap<>(permits));
    }

    /** Decides whether an access may enter. */
    public Verdict enter(Access access) {
        long highest = highestAgainst(access);
        if (access.token() < highest) {
            return new Stale(highest);
        }
        Mark mark = markOf(access);
        boolean numbered = access.isNumbered() && access.token() == mark.token();
        if (numbered && access.sequence() < mark.sequence()) {
            return new OutOfOrder(mark.sequence());
        }
        boolean repeated = numbered && access.sequence() == mark.sequence();
        return new Entered(raisedBy(access), repeated ? Entry.REPEATED : Entry.NEW);
    }

    /** The highest token that has entered and excludes this access. */
    private long highestAgainst(Access access) {
        long highest = exclusive.token();
        if (access.mode() != Access.Mode.SHARED) {
            highest = Math.max(highest, shared);
        }
        if (access.mode() == Access.Mode.PERMIT) {
            return Math.max(highest, markOf(access).token());
        }
        return permits.values().stream().mapToLong(Mark::token).reduce(highest, Math::max);
    }

    private Mark markOf(Access access) {
        return switch (access.mode()) {
            case EXCLUSIVE -> exclusive;
            case SHARED -> new Mark(shared, Access.NO_SEQUENCE);
            case PERMIT -> permits.getOrDefault(access.slot(), Mark.NONE);
        };
    }

    /** What an exclusive mark tops is forgotten: it refuses nobody whom that one does not. Readers pass a shared one. */
    private Marks raisedBy(Access access) {
        Mark mark = markOf(access);
        Mark raised = mark.raisedTo(access);
        if (raised.equals(mark)) {
            return this;
        }
        return switch (access.mode()) {
            case EXCLUSIVE -> new Marks(raised, 0, Collections.emptySortedMap());
            case SHARED -> tellsNothingNew(access.token()) ? this : new Marks(exclusive, access.token(), permits);
            case PERMIT -> {
                SortedMap<Integer, Mark> changed = new TreeMap<>(permits);
                changed.put(access.slot(), raised);
                yield new Marks(exclusive, shared, changed);
            }
        };
    }

    /** Of a reader: another is ahead of it, or it held the lock exclusively before, under the same token. */
    private boolean tellsNothingNew(long token) {
        return token <= shared || token == exclusive.token();
    }

    /** Returns one line of text, for guards that store text: {@code x33:7 s34 p0:40:0}; empty if nobody has entered. */
    public String text() {
        return MarksText.write(this);
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static Marks parse(String text) {
        return MarksText.parse(text);
    }
}
