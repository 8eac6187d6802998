package dev.holdfast.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import dev.holdfast.core.Permits;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultCodecTest {
    private static final FencingToken TOKEN = FencingToken.of(3, 77);
    private static final List<Hold> HOLDS = List.of(
            Hold.of(LockKey.of("a"), Kind.PLAIN, Mode.SHARED),
            new Hold(LockKey.of("b"), Kind.PERMITS, Mode.EXCLUSIVE, Permits.ofRanges(0, 0, 4, 9, 700, 999_999)),
            new Hold(LockKey.of("c"), Kind.PERMITS, Mode.EXCLUSIVE, Permits.wanted(12)));

    @Test
    void every_kind_of_result_comes_back_as_it_was() {
        for (Result result : results()) {
            assertThat(ResultCodec.decode(ResultCodec.encode(result))).isEqualTo(result);
        }
        // Every record there is, or the list has fallen behind: Result has one permitted interface among its own.
        assertThat(results().stream().map(Result::getClass).distinct().count())
                .isEqualTo(Result.class.getPermittedSubclasses().length
                        - 1
                        + Result.Final.class.getPermittedSubclasses().length);
    }

    @Test
    void an_unknown_or_cut_off_result_is_an_error() {
        assertThatThrownBy(() -> ResultCodec.decode(new byte[] {99})).isInstanceOf(CodecException.class);
        byte[] whole = ResultCodec.encode(new Result.LeaseGranted(30_000, 45_000));
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> ResultCodec.decode(cut)).isInstanceOf(CodecException.class);
        }
    }

    private static List<Result> results() {
        List<Result> results = new ArrayList<>(List.of(
                new Result.LeaseGranted(30_000, 45_000),
                new Result.LeaseRevoked(),
                new Result.Granted(TOKEN, HOLDS, 9_000, 0),
                new Result.Queued(12, 3, LockKey.of("a/b"), false),
                new Result.Released(TOKEN),
                new Result.AlreadyReleased(),
                new Result.Downgraded(TOKEN, HOLDS),
                new Result.Described(TOKEN),
                new Result.Ended(TOKEN, EndReason.MAX_HOLD),
                new Result.Changed(),
                new Result.Refused(
                        Refusal.DEADLOCK,
                        "a",
                        -1,
                        Long.MAX_VALUE,
                        List.of(new Result.Blocker(LockKey.of("k"), "client", 5)))));
        for (Result.Cancelled.Was was : Result.Cancelled.Was.values()) {
            results.add(new Result.Cancelled(was));
        }
        return results;
    }
}
