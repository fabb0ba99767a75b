package io.pgstress.plan.custom;

import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.custom.OperationsFile.Names;
import io.pgstress.text.NamedSql;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An operation from an operations file.
 *
 * @param transaction whether all steps run in one transaction
 * @param tables number of tables over which the clients are spread, each pinned to one; 0: not given
 * @param copy the required state of the copy table before a run
 * @param setup SQL to run before each run, before anything else
 * @param reset SQL to run before each run, unless {@code --no-reset} is given
 * @param parameters by name, in the order of the file
 * @param steps at least one
 */
public record CustomOperation(
        String name,
        String description,
        boolean transaction,
        int tables,
        CopyState copy,
        List<Line> setup,
        List<Line> reset,
        Map<String, CustomParameter> parameters,
        List<CustomStep> steps,
        Source source) {

    /** A statement that is not part of the load, and its position in the file. */
    public record Line(String sql, Source source) {}

    public CustomOperation {
        setup = List.copyOf(setup);
        reset = List.copyOf(reset);
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters)); // values are drawn in this order
        steps = List.copyOf(steps);
    }

    /** The number of the table that a client is pinned to, from 1. */
    public int numberOf(int client) {
        return client % Math.max(1, tables) + 1;
    }

    /** Whether it uses the table under load, by its name or its documents. */
    public boolean needsTable() {
        return copy != CopyState.UNUSED
                || parameters.values().stream()
                        .anyMatch(p -> p instanceof CustomParameter.Id
                                || p instanceof CustomParameter.OnceId
                                || p instanceof CustomParameter.Path)
                || steps.stream().anyMatch(s -> Names.areIn(s.sql().text()))
                || Stream.of(setup, reset).flatMap(List::stream).anyMatch(line -> Names.areIn(line.sql()));
    }

    /**
     * One statement of an operation.
     *
     * @param keep columns of its last row that later steps use, and the name they use for each
     * @param least if it reads or changes fewer rows, the operation ends as a miss; 0: never
     */
    public record CustomStep(String name, NamedSql sql, Map<String, String> keep, long least, Source source) {
        public CustomStep {
            keep = Map.copyOf(keep);
        }
    }

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

    /**
     * A position in an operations file.
     *
     * @param file its name as given
     * @param line from 1
     * @param what {@code operation 'mine', step 'read'}
     */
    public record Source(String file, int line, String what) {
        /** A message on one line: file, line, the part concerned, and the problem. */
        public String message(String problem) {
            return file + ":" + line + ": " + what + ": " + problem;
        }

        /** The same part on another line. */
        Source at(int otherLine) {
            return new Source(file, otherLine, what);
        }

        /** A part of this one. */
        Source part(String kind, String name, int itsLine) {
            return new Source(
                    file, itsLine, what.isEmpty() ? kind + " '" + name + "'" : what + ", " + kind + " '" + name + "'");
        }
    }
}
