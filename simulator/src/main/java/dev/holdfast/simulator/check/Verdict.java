package dev.holdfast.simulator.check;

import java.util.List;

/** What the checker says of a history. */
public sealed interface Verdict {
    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    Kind kind();

    /** Every kind of verdict. */
    enum Kind {
        LINEARIZABLE,
        UNKNOWN,
        NOT_LINEARIZABLE
    }

    /**
     * There is an order that explains it.
     *
     * @param steps what it cost to find
     */
    record Linearizable(long steps) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.LINEARIZABLE;
        }
    }

    /** The search was given up: neither right nor wrong. A run that ends so has shown nothing. */
    record Unknown(String key, long steps) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.UNKNOWN;
        }
    }

    /**
     * No order explains it.
     *
     * @param prefix the longest order found that explains a part of it
     * @param blocked the operations one of which would have to come next, while none of them can
     */
    record NotLinearizable(String key, int operations, List<Step> prefix, List<Operation<?, ?>> blocked)
            implements Verdict {
        private static final int SHOWN = 10;

        public NotLinearizable {
            prefix = List.copyOf(prefix);
            blocked = List.copyOf(blocked);
        }

        @Override
        public Kind kind() {
            return Kind.NOT_LINEARIZABLE;
        }

        /** An excerpt for people: how far it can be explained, and where that ends. */
        public String excerpt() {
            StringBuilder text = new StringBuilder();
            text.append("key \"")
                    .append(key)
                    .append("\": no order explains these ")
                    .append(operations);
            text.append(" operations. The longest that explains a part has ")
                    .append(prefix.size())
                    .append(":\n");
            int skipped = Math.max(0, prefix.size() - SHOWN);
            if (skipped > 0) {
                text.append("    … ").append(skipped).append(" before\n");
            }
            for (Step step : prefix.subList(skipped, prefix.size())) {
                text.append("    ").append(step).append('\n');
            }
            text.append("None of these can come next, and one must:\n");
            for (Operation<?, ?> operation : blocked) {
                text.append("    ").append(operation).append('\n');
            }
            return text.toString();
        }
    }

    /** An operation at its place in an order, and the state after it. */
    record Step(Operation<?, ?> operation, String state) {
        @Override
        public String toString() {
            return operation + "   => " + state;
        }
    }
}
