package io.pgstress.plan.custom;

import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.text.NamedSql;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An operation from an operations file.
 *
 * @param transaction whether all steps run in one transaction
 * @param tables the numbered tables that its steps name
 * @param copy the required state of the copy table before a run
 * @param setup SQL to run before each run, before anything else
 * @param reset SQL to run before each run, unless {@code --no-reset} is given
 * @param values numbers that the server computes after {@code setup} and {@code reset}, before the load, by name
 * @param parameters by name, in the order of the file
 * @param steps at least one
 * @param rows rows per execution, as counted in rows/s; null: those that its steps read and changed
 * @param meetsDuplicates whether a unique violation makes it a duplicate, rather than an error
 * @param expectsMisses whether misses and duplicates are ordinary outcomes, rather than limited by {@code --max-miss-rate}
 * @param checks compare its tables with what the server acknowledged, instead of the usual checks of the same steps
 */
public record CustomOperation(
        String name,
        String description,
        boolean transaction,
        Tables tables,
        CopyState copy,
        List<Line> setup,
        List<Line> reset,
        Map<String, Value> values,
        Map<String, CustomParameter> parameters,
        List<CustomStep> steps,
        @Nullable Bound rows,
        boolean meetsDuplicates,
        boolean expectsMisses,
        List<Check> checks,
        Source source) {
    /**
     * Numbered tables.
     *
     * @param given their number; 0: there are none
     * @param ofOperation whether a table is drawn for each operation; otherwise each client is pinned to one
     */
    public record Tables(int given, boolean ofOperation) {
        /** Their number; 1 if there are none. */
        public int count() {
            return Math.max(1, given);
        }

        /** The number of the table that a client is pinned to, from 1. */
        public int ofClient(int client) {
            return client % count() + 1;
        }
    }

    /** How the numbers of several tables become one. */
    public enum Combine {
        SUM,
        MIN,
        MAX
    }

    /** A number that the server computes; of several tables if its SQL has the number of a table. */
    public record Value(Line line, Combine combine) {}

    /** How a number compares with the rows that a step changed. */
    public enum Comparison {
        /** It is their count. */
        EQUALS,
        /** It grew by their count. */
        GROWS,
        /** It shrank by their count. */
        SHRINKS
    }

    /**
     * A comparison of a number, summed over the tables, with the acknowledged rows of a step.
     *
     * @param name what is compared, for the report
     * @param by the name of the step
     */
    public record Check(String name, Line line, Comparison comparison, String by) {}

    /** A statement that is not part of the load, and its position in the file. */
    public record Line(String sql, Source source) {}

    public CustomOperation {
        setup = List.copyOf(setup);
        reset = List.copyOf(reset);
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values)); // later ones may use earlier ones
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters)); // values are drawn in this order
        steps = List.copyOf(steps);
        checks = List.copyOf(checks);
    }

    /** Whether it is an operation of this program's own, which creates its tables. */
    public boolean isShipped() {
        return source.isShipped();
    }

    /** Whether it uses the table under load, by its name or its documents. */
    public boolean needsTable() {
        return copy != CopyState.UNUSED
                || parameters.values().stream()
                        .anyMatch(p -> p instanceof CustomParameter.Id
                                || p instanceof CustomParameter.OnceId
                                || p instanceof CustomParameter.Path)
                || steps.stream().anyMatch(s -> Placeholders.areIn(s.sql().text()))
                || Stream.of(
                                setup.stream(),
                                reset.stream(),
                                values.values().stream().map(Value::line),
                                checks.stream().map(Check::line))
                        .flatMap(lines -> lines)
                        .anyMatch(line -> Placeholders.areIn(line.sql()));
    }

    /**
     * One statement of an operation.
     *
     * @param keep columns of its last row that later steps use, and the name they use for each
     * @param least if it reads or changes fewer rows, the operation is a miss; 0: never
     * @param endsAtMiss whether later steps are not run after a miss of this one
     * @param mustChange whether success without a row is a lost write: a number other than 0; null: as its SQL suggests
     * @param group if a table is drawn for each operation, one is drawn for each group of steps; the first group has the number 0
     */
    public record CustomStep(
            String name,
            NamedSql sql,
            Map<String, String> keep,
            long least,
            boolean endsAtMiss,
            @Nullable Bound mustChange,
            int group,
            Source source) {
        public CustomStep {
            keep = Map.copyOf(keep);
        }
    }

    /**
     * A number in the file.
     *
     * @param number 0 if it has a name
     * @param name the name of one of the operation's values; empty: the number itself
     */
    public record Bound(long number, String name) {
        /** The number, with these values. */
        public long in(Map<String, Long> values) {
            return name.isEmpty() ? number : Objects.requireNonNull(values.get(name));
        }
    }

    /** The source of a parameter's values; each client draws a value before each operation. */
    public sealed interface CustomParameter {
        /** The path of the whole document. */
        String DOCUMENT = "$";

        /** Its position in the file. */
        Source source();

        /** Ids of the table, in the type of the key. {@code --key-distribution} is the default distribution. */
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

        /**
         * Integers from {@code from} to {@code to}, both inclusive. Without a distribution, {@code --key-distribution} applies.
         *
         * @param once whether each number is used once over all clients, in each drawn table, in shuffled order
         */
        record Range(Source source, Bound from, Bound to, Optional<KeyDistribution> distribution, boolean once)
                implements CustomParameter {}

        /**
         * Unique numbers from {@code start} upwards: no other client, no other host, and no other parameter of the mix with the
         * same start draws them.
         *
         * @param to the last one
         * @param random whether the numbers are spread over the first half of the range, in random order
         */
        record Sequence(Source source, Bound start, Bound to, boolean random) implements CustomParameter {}

        /** Texts in which each {@code #} is a random digit. */
        record Digits(Source source, String pattern) implements CustomParameter {}

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
        /** Whether the file is one of this program's own. */
        public boolean isShipped() {
            return file.isEmpty();
        }

        /** A message on one line: file, line, the part concerned, and the problem; of an operation that is shipped, the problem. */
        public String message(String problem) {
            return isShipped() ? problem : file + ":" + line + ": " + what + ": " + problem;
        }

        /** A copy on another line. */
        Source at(int otherLine) {
            return new Source(file, otherLine, what);
        }

        Source part(String kind, String name, int itsLine) {
            return new Source(
                    file, itsLine, what.isEmpty() ? kind + " '" + name + "'" : what + ", " + kind + " '" + name + "'");
        }
    }
}
