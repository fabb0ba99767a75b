package io.pgstress.plan.custom;

import io.pgstress.plan.OperationKind.CopyContent;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        CopyContent copy,
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
        return copy != CopyContent.NONE
                || parameters.values().stream()
                        .anyMatch(p -> p instanceof CustomParameter.Id
                                || p instanceof CustomParameter.OnceId
                                || p instanceof CustomParameter.Path)
                || steps.stream().anyMatch(s -> Names.areIn(s.sql().text()))
                || Stream.of(setup, reset).flatMap(List::stream).anyMatch(line -> Names.areIn(line.sql()));
    }
}
