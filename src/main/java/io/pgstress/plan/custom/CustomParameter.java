package io.pgstress.plan.custom;

import io.pgstress.plan.KeyDistribution;
import java.util.List;
import java.util.Optional;

/** Where the values of a parameter come from; each client draws its own before each operation. */
public sealed interface CustomParameter {
    /** Where it stands. */
    Source source();

    /** Ids of the table, in the key's own type. Without a distribution of their own, {@code --key-distribution} holds. */
    record Id(Source source, Optional<KeyDistribution> distribution) implements CustomParameter {}

    /** Ids of the table, each of them once over all clients, in a shuffled order. */
    record OnceId(Source source) implements CustomParameter {}

    /**
     * Values at a path of the table's documents, sampled from its rows before the load.
     *
     * @param keys from the outermost on; numbers are places of arrays
     * @param json whether values are jsonb as they stand there, or their text
     * @param sample the most that are kept
     */
    record Path(Source source, List<String> keys, boolean json, int sample, KeyDistribution distribution)
            implements CustomParameter {
        public Path {
            keys = List.copyOf(keys);
        }
    }

    /** Whole numbers from {@code from} to {@code to}, both of them among them, at most 2^31 - 1 of them. */
    record Range(Source source, long from, long to, KeyDistribution distribution) implements CustomParameter {}

    /**
     * Numbers upwards from {@code start} that no other client, no other host of {@code --id-slice} and no other parameter of the mix
     * with the same start draws.
     */
    record Sequence(Source source, long start) implements CustomParameter {}

    /** One of these texts. */
    record Choice(Source source, List<String> values, KeyDistribution distribution) implements CustomParameter {
        public Choice {
            values = List.copyOf(values);
        }
    }
}
