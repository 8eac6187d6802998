package dev.holdfast.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Limit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RadixTreeTest {
    private static final class Word implements RadixTree.Entry {
        final String text;
        final byte[] key;

        Word(String text) {
            this.text = text;
            this.key = text.getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        public byte[] key() {
            return key;
        }
    }

    private final RadixTree<Word> tree = new RadixTree<>();
    private final TreeMap<String, Word> expected = new TreeMap<>();

    @Test
    void behaves_like_a_sorted_map() {
        for (long seed = 1; seed <= 30; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            // Few letters make long common prefixes; many make dense nodes.
            int letters = seed % 3 == 0 ? 256 : 3;
            for (int i = 0; i < 3_000; i++) {
                step(random, letters, i < 2_000 ? 70 : 20);
                if (i % 50 == 0) {
                    assertSame(randomText(random, letters), seed);
                }
            }
        }
    }

    private void step(SplittableRandom random, int letters, int percentAdd) {
        String text = randomText(random, letters);
        if (random.nextBoolean()) {
            // A look-up leaves a trail that the change may follow, if it is for that key.
            Map.Entry<String, Word> removedNext = expected.ceilingEntry(text);
            tree.get(text.getBytes(StandardCharsets.ISO_8859_1));
            if (removedNext != null && random.nextBoolean()) {
                tree.get(removedNext.getValue().key);
            }
        }
        if (random.nextInt(100) < percentAdd) {
            if (!expected.containsKey(text)) {
                Word word = new Word(text);
                tree.add(word);
                expected.put(text, word);
            }
        } else {
            Map.Entry<String, Word> present = expected.ceilingEntry(text);
            if (present != null) {
                tree.remove(present.getValue());
                expected.remove(present.getKey());
            }
        }
    }

    private void assertSame(String probe, long seed) {
        byte[] key = probe.getBytes(StandardCharsets.ISO_8859_1);
        assertThat(tree.size()).as("seed %d", seed).isEqualTo(expected.size());
        assertThat(tree.get(key)).as("seed %d", seed).isSameAs(expected.get(probe));
        List<Word> upwards = new ArrayList<>();
        tree.visitFrom(key, upwards::add);
        assertThat(upwards)
                .as("seed %d", seed)
                .containsExactlyElementsOf(expected.tailMap(probe, true).values());
        List<Word> prefixes = new ArrayList<>();
        tree.visitPrefixesOf(key, prefixes::add);
        List<Word> expectedPrefixes = new ArrayList<>();
        for (int length = 0; length <= probe.length(); length++) {
            Word word = expected.get(probe.substring(0, length));
            if (word != null) {
                expectedPrefixes.add(word);
            }
        }
        assertThat(prefixes).as("seed %d", seed).containsExactlyElementsOf(expectedPrefixes);
    }

    /** The deepest tree that the limit on keys allows: a node for every byte. */
    @Test
    void keys_that_are_all_prefixes_of_each_other_are_visited() {
        for (int length = 1; length <= Limit.KEY_BYTES.highest(); length++) {
            tree.add(new Word("x".repeat(length)));
        }
        List<Word> all = new ArrayList<>();
        tree.visitFrom(new byte[0], all::add);
        assertThat(all).hasSize((int) Limit.KEY_BYTES.highest());
        assertThat(all).isSortedAccordingTo((a, b) -> Integer.compare(a.key.length, b.key.length));
    }

    @Test
    void visit_stops_when_told() {
        for (String text : List.of("a", "ab", "abc", "b")) {
            tree.add(new Word(text));
        }
        List<String> seen = new ArrayList<>();
        tree.visitFrom(new byte[0], word -> {
            seen.add(word.text);
            return seen.size() < 2;
        });
        assertThat(seen).containsExactly("a", "ab");
    }

    private static String randomText(SplittableRandom random, int letters) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(letters > 10 ? 3 : 9);
        for (int i = 0; i < length; i++) {
            text.append((char) random.nextInt(letters));
        }
        return text.toString();
    }
}
