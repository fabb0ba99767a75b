package io.pgstress.importer;

import java.util.List;
import java.util.Locale;

/**
 * What became of an index of MongoDB; its JSON uses the names of the components.
 *
 * @param name MongoDB's name; empty: all indexes of the collection, which are unknown
 * @param key MongoDB's key and properties, for people
 * @param fields the paths in its key
 * @param unserved whether its queries have no counterpart of it, although MongoDB uses it
 * @param indexes what stands for it; empty if nothing does
 * @param notes reasons, differences and advice, one line each
 */
public record IndexResult(
        String name, String key, List<String> fields, boolean unserved, List<Part> indexes, List<String> notes) {
    /** The state of an index. */
    public enum State {
        /** It would be created with {@code --indexes create}. */
        PLANNED,
        CREATED,
        /** The table had it already. */
        EXISTS,
        FAILED;

        /** The word for people and for JSON. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * An index.
     *
     * @param definition it in short
     * @param sql the statement that creates it
     * @param bytes its size, over all nodes; 0 if it is unknown or does not exist
     * @param seconds the time that its creation took
     * @param fault why it was not created; empty unless that failed
     */
    public record Part(
            String name, String definition, String sql, String state, long bytes, double seconds, String fault) {
        public boolean hasFailed() {
            return !fault.isEmpty();
        }
    }

    public IndexResult {
        fields = List.copyOf(fields);
        indexes = List.copyOf(indexes);
        notes = List.copyOf(notes);
    }

    /** All indexes of a collection, if none is known or created. */
    public static IndexResult unknown(String fault) {
        return new IndexResult(
                "",
                "",
                List.of(),
                false,
                List.of(new Part("", "", "", State.FAILED.toString(), 0, 0, fault)),
                List.of());
    }

    /** Why it is missing, in whole or in part; empty if it is not. */
    public String fault() {
        return indexes.stream()
                .filter(Part::hasFailed)
                .map(Part::fault)
                .findFirst()
                .orElse("");
    }
}
