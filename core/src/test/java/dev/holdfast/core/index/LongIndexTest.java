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
            LongIndex<Numbered> index = new LongIndex<>(Numbered::number);
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
}
