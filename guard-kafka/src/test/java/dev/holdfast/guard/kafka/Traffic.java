package dev.holdfast.guard.kafka;

import dev.holdfast.guard.Access;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.producer.RecordMetadata;

/** What holders of some locks send, among it much of such as hold them no more; and what ought to become of it. */
final class Traffic {
    private static final int KEYS = 4;

    private final long seed;
    private final Random random;
    private final long[] tokens = new long[KEYS];
    private final List<RecordMetadata> stale = new ArrayList<>();
    private final List<String> accepted = new ArrayList<>();
    private int sent;

    Traffic(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
    }

    void send(FencedProducer holders, int records) throws Exception {
        long token = 1;
        while (sent < records) {
            int key = random.nextInt(KEYS);
            if (tokens[key] == 0 || random.nextInt(8) == 0) {
                tokens[key] = ++token;
                holders.enter(Access.exclusive("key" + key, token));
            } else if (random.nextInt(3) == 0) {
                long older = 1 + random.nextLong(tokens[key] - 1);
                stale.add(holders.send(Access.exclusive("key" + key, older), Integer.toString(sent)));
            } else {
                holders.send(Access.exclusive("key" + key, tokens[key]), Integer.toString(sent));
                accepted.add("key" + key + "=" + sent);
            }
            sent++;
        }
    }

    int sent() {
        return sent;
    }

    /** Where those lie that must be refused. */
    List<String> stale() {
        return stale.stream()
                .sorted(Comparator.comparingInt(RecordMetadata::partition).thenComparingLong(RecordMetadata::offset))
                .map(record -> record.partition() + ":" + record.offset())
                .toList();
    }

    /** What must be applied, in the order in which it was sent. */
    List<String> accepted() {
        return accepted;
    }

    @Override
    public String toString() {
        return "seed " + seed;
    }
}
