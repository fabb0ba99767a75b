package io.pgstress.plan.custom;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An operation of an operations file.
 *
 * @param transaction whether its steps are one transaction
 * @param copy what the copy table has to be before it runs
 * @param setup SQL that runs before each run, ahead of everything else
 * @param reset SQL that runs before each run, unless {@code --no-reset}
 * @param parameters by name, in the order of the file
 * @param steps at least one
 */
public record CustomOperation(
        String name,
        String description,
        boolean transaction,
        Copy copy,
        List<Line> setup,
        List<Line> reset,
        Map<String, CustomParameter> parameters,
        List<CustomStep> steps,
        Source source) {

    /** The copy table's first state. */
    public enum Copy {
        NONE,
        EMPTY,
        FULL
    }

    /** A statement outside of the load, and its place in the file. */
    public record Line(String sql, Source source) {}

    public CustomOperation {
        setup = List.copyOf(setup);
        reset = List.copyOf(reset);
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters)); // their order is that of the draws
        steps = List.copyOf(steps);
    }

    /** Whether it works on the table under load, by its name or its documents. */
    public boolean needsTable() {
        return copy != Copy.NONE
                || parameters.values().stream()
                        .anyMatch(p -> p instanceof CustomParameter.Id
                                || p instanceof CustomParameter.OnceId
                                || p instanceof CustomParameter.Path)
                || steps.stream().anyMatch(s -> Names.areIn(s.sql().text()))
                || Stream.of(setup, reset).flatMap(List::stream).anyMatch(line -> Names.areIn(line.sql()));
    }
}
