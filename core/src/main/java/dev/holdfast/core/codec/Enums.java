package dev.holdfast.core.codec;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Mode;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.result.Refusal;
import java.util.function.ToIntFunction;

/** Small types as bytes. */
final class Enums {
    private static final Limit[] LIMITS = byId(Limit.values(), Limit::id, new Limit[64]);
    private static final Refusal[] REFUSALS = byId(Refusal.values(), Refusal::id, new Refusal[32]);
    private static final RequestImage.State[] STATES =
            byId(RequestImage.State.values(), RequestImage.State::id, new RequestImage.State[4]);
    private static final EndReason[] REASONS = byId(EndReason.values(), EndReason::id, new EndReason[32]);

    private Enums() {}

    /** Kind and mode in one byte, never 0. */
    static int code(Kind kind, Mode mode) {
        int kindCode = switch (kind) {
            case PLAIN -> 1;
            case SUBTREE -> 2;
            case PERMITS -> 3;
        };
        return kindCode << 1 | (mode == Mode.EXCLUSIVE ? 1 : 0);
    }

    static Kind kind(int code) {
        return switch (code >> 1) {
            case 1 -> Kind.PLAIN;
            case 2 -> Kind.SUBTREE;
            case 3 -> Kind.PERMITS;
            default -> throw new CodecException("kind: " + code + " is not known");
        };
    }

    static Mode mode(int code) {
        return (code & 1) == 1 ? Mode.EXCLUSIVE : Mode.SHARED;
    }

    static Limit limit(int id) {
        return known(LIMITS, id, "limit");
    }

    static Refusal refusal(int id) {
        return known(REFUSALS, id, "refusal");
    }

    static EndReason reason(int id) {
        return known(REASONS, id, "reason");
    }

    static RequestImage.State state(int id) {
        return known(STATES, id, "state");
    }

    static LeaseId lease(ByteReader in) {
        long id = in.getFixed("lease");
        if (id == 0) {
            throw new CodecException("lease: must not be 0");
        }
        return new LeaseId(id);
    }

    static FencingToken token(ByteReader in) {
        long value = in.getUnsigned("token");
        if (value == 0) {
            throw new CodecException("token: must not be 0");
        }
        return new FencingToken(value);
    }

    private static <E> E[] byId(E[] all, ToIntFunction<E> id, E[] table) {
        for (E each : all) {
            table[id.applyAsInt(each)] = each;
        }
        return table;
    }

    @SuppressWarnings("NullAway") // the table has holes where no constant has that id
    private static <E> E known(E[] table, int id, String field) {
        E known = id < table.length ? table[id] : null;
        if (known == null) {
            throw new CodecException(field + ": " + id + " is not known");
        }
        return known;
    }
}
