package dev.holdfast.core.codec;

import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;

/** Results as bytes: what a snapshot remembers of them, and what one node tells another. */
public final class ResultCodec {
    static final int GRANTED = 1;
    static final int ENDED = 2;
    static final int REFUSED = 3;
    static final int LEASE_GRANTED = 4;
    static final int LEASE_REVOKED = 5;
    static final int QUEUED = 6;
    static final int RELEASED = 7;
    static final int ALREADY_RELEASED = 8;
    static final int DOWNGRADED = 9;
    static final int CANCELLED = 10;
    static final int CHANGED = 11;
    static final int DESCRIBED = 12;

    private ResultCodec() {}

    public static byte[] encode(Result result) {
        ByteWriter out = new ByteWriter(64);
        put(out, result);
        return out.toByteArray();
    }

    public static Result decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        Result result = get(in);
        in.expectEnd();
        return result;
    }

    static void put(ByteWriter out, Result result) {
        result.match(new ResultWriter(out));
    }

    private static Result get(ByteReader in) {
        int code = in.getByte("result");
        return switch (code) {
            case GRANTED, ENDED, REFUSED, LEASE_GRANTED -> getFinal(code, in);
            case LEASE_REVOKED -> new Result.LeaseRevoked();
            case QUEUED ->
                new Result.Queued(
                        in.getUnsigned("revision"),
                        in.getCount("position", Integer.MAX_VALUE),
                        in.getKey("blockedOn"),
                        in.getBoolean("deadlockChecked"));
            case RELEASED -> new Result.Released(Enums.token(in));
            case ALREADY_RELEASED -> new Result.AlreadyReleased();
            case DOWNGRADED -> new Result.Downgraded(Enums.token(in), EventCodec.getHolds(in));
            case DESCRIBED -> new Result.Described(Enums.token(in));
            case CANCELLED -> new Result.Cancelled(was(in.getByte("was")));
            case CHANGED -> new Result.Changed();
            default -> throw new CodecException("result " + code + " is not known to this version");
        };
    }

    static Result.Final getFinal(ByteReader in) {
        return getFinal(in.getByte("answer"), in);
    }

    private static Result.Final getFinal(int code, ByteReader in) {
        return switch (code) {
            case GRANTED ->
                new Result.Granted(
                        Enums.token(in),
                        EventCodec.getHolds(in),
                        in.getUnsigned("leaseEndMillis"),
                        in.getUnsigned("holdEndMillis"));
            case ENDED -> new Result.Ended(Enums.token(in), Enums.reason(in.getByte("reason")));
            case REFUSED -> getRefused(in);
            case LEASE_GRANTED ->
                new Result.LeaseGranted(
                        in.getUnsigned("ttlMillis"), in.getUnsigned("endMillis"), in.getSigned("asked"));
            default -> throw new CodecException("answer " + code + " is not known to this version");
        };
    }

    private static Result.Refused getRefused(ByteReader in) {
        var code = Enums.refusal(in.getByte("refusal"));
        String subject = in.getString("subject", CodecBounds.METADATA_BYTES);
        long limit = in.getSigned("limit");
        long actual = in.getSigned("actual");
        int count = in.getCount("blockers", CodecBounds.BLOCKERS);
        List<Result.Blocker> blockers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blockers.add(new Result.Blocker(
                    in.getKey("key"), in.getString("clientId", CodecBounds.NAME_BYTES), in.getUnsigned("token")));
        }
        return new Result.Refused(code, subject, limit, actual, blockers);
    }

    static int codeOf(Result.Cancelled.Was was) {
        return switch (was) {
            case WAITING -> 1;
            case GRANTED -> 2;
            case FINISHED -> 3;
            case UNKNOWN -> 4;
        };
    }

    private static Result.Cancelled.Was was(int code) {
        return switch (code) {
            case 1 -> Result.Cancelled.Was.WAITING;
            case 2 -> Result.Cancelled.Was.GRANTED;
            case 3 -> Result.Cancelled.Was.FINISHED;
            case 4 -> Result.Cancelled.Was.UNKNOWN;
            default -> throw new CodecException("was: " + code + " is not known to this version");
        };
    }
}
