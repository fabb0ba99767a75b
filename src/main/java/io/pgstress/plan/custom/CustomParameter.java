package io.pgstress.plan.custom;

import io.pgstress.plan.KeyDistribution;
import java.util.List;
import java.util.Optional;

/** The source of a parameter's values; each client draws a value before each operation. */
public sealed interface CustomParameter {
    /** The path of the whole document. */
    String DOCUMENT = "$";

    /** Its position in the file. */
    Source source();

    /** Ids of the table, in the type of the key. The default distribution is that of {@code --key-distribution}. */
    record Id(Source source, Optional<KeyDistribution> distribution) implements CustomParameter {}

    /** Ids of the table in shuffled order, each used once over all clients. */
    record OnceId(Source source) implements CustomParameter {}

    /**
     * Values at a path of the table's documents, sampled from its rows before the load.
     *
     * @param keys the keys of the path, outermost first; numbers are array indexes; empty: the whole document
     * @param json whether values are used as jsonb; if not, as text
     * @param sample maximum number of values to keep
     * @param with another parameter of this kind, from whose row each value is taken; empty: none
     * @param count number of values in each array that is drawn; 0: single values instead of arrays
     */
    record Path(
            Source source,
            List<String> keys,
            boolean json,
            int sample,
            KeyDistribution distribution,
            String with,
            int count)
            implements CustomParameter {
        public Path {
            keys = List.copyOf(keys);
        }

        /** The path as written in the file. */
        public String path() {
            return keys.isEmpty() ? DOCUMENT : String.join(".", keys);
        }
    }

    /** Integers from {@code from} to {@code to}, both inclusive; at most 2^31 - 1 numbers. */
    record Range(Source source, long from, long to, KeyDistribution distribution) implements CustomParameter {}

    /**
     * Unique numbers from {@code start} upwards: no other client, no other host with its own {@code --id-slice}, and no other
     * parameter of the mix with the same start draws them.
     */
    record Sequence(Source source, long start) implements CustomParameter {}

    /** One of these texts. */
    record Choice(Source source, List<String> values, KeyDistribution distribution) implements CustomParameter {
        public Choice {
            values = List.copyOf(values);
        }
    }
}
