package dev.holdfast.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LongIndexTest {
    private record Numbered(long number) {}

    @Test
    void behaves_like_a_map() {
        for (long seed = 1; seed <= 30; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            LongIndex<Numbered> index = new LongIndex<>(Numbered::number, new KeyedHash(seed));
            Map<Long, Numbered> expected = new HashMap<>();
            for (int i = 0; i < 5_000; i++) {
                long number = random.nextLong(-200, 200);
                if (random.nextInt(100) < (i < 3_000 ? 60 : 30)) {
                    if (!expected.containsKey(number)) {
                        Numbered value = new Numbered(number);
                        index.add(value);
                        expected.put(number, value);
                    }
                } else {
                    index.remove(number);
                    expected.remove(number);
                }
                long probe = random.nextLong(-200, 200);
                assertThat(index.get(probe)).as("seed %d", seed).isSameAs(expected.get(probe));
                assertThat(index.size()).isEqualTo(expected.size());
            }
            assertThat(index.values()).containsExactlyInAnyOrderElementsOf(expected.values());
        }
    }

    /**
     * Numbers that all have one hash under a multiplication by a constant that everybody knows: they are the inverse of
     * that constant times numbers with the same upper half.
     */
    @Test
    void numbers_chosen_to_meet_are_spread() {
        long inverse = inverseOf(0x9E3779B97F4A7C15L);
        int count = 200_000;
        for (long secret = 1; secret <= 5; secret++) {
            LongIndex<Numbered> index = new LongIndex<>(Numbered::number, new KeyedHash(secret));
            for (long i = 0; i < count; i++) {
                index.add(new Numbered(inverse * (0x1234_5678L << 32 | i)));
            }
            long total = 0;
            long farthest = 0;
            for (long i = 0; i < count; i++) {
                int distance = index.distanceTo(inverse * (0x1234_5678L << 32 | i));
                total += distance;
                farthest = Math.max(farthest, distance);
            }
            assertThat(total / count).as("slots passed, secret %d", secret).isLessThan(5);
            assertThat(farthest).as("most slots passed, secret %d", secret).isLessThan(1_000);
        }
    }

    /** Each step doubles the number of low bits that are right. */
    private static long inverseOf(long odd) {
        long inverse = odd;
        for (int i = 0; i < 6; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }
}
