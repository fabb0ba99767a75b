package io.pgstress.operation.custom;

import io.pgstress.dataset.KeySampler;
import io.pgstress.dataset.Table;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.custom.CustomParameter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The sources of an operation's parameters that take their values from the documents. Parameters {@code with} each other are
 * sampled together and draw from the same row. Used by one thread.
 */
final class PathSources {
    private final Map<String, CustomParameter> parameters;
    private final Table table;
    private final long seed;
    /** The sampled rows, by the parameter that the others are {@code with}. */
    private final Map<String, List<String[]>> samples = new HashMap<>();

    PathSources(Map<String, CustomParameter> parameters, Table table, long seed) {
        this.parameters = parameters;
        this.table = table;
        this.seed = seed;
    }

    /**
     * The source of a parameter.
     *
     * @param control in autocommit mode, before and after
     * @throws io.pgstress.plan.option.InvalidPlanException if no row has the values; only for the first of several parameters
     *     {@code with} each other
     */
    ValueSource source(String name, CustomParameter.Path path, Connection control) throws SQLException {
        String leader = path.with().isEmpty() ? name : path.with();
        List<String> together = together(leader);
        List<String[]> rows = samples.get(leader);
        if (rows == null) {
            samples.put(leader, List.of());
            rows = new PathSample(together.stream().map(this::path).toList(), table, seed).read(control);
            samples.put(leader, rows);
        }
        if (rows.isEmpty()) {
            return draws -> new Value.Kept(); // reported before
        }
        int column = together.indexOf(name);
        String[] texts = rows.stream().map(row -> row[column]).toArray(String[]::new);
        int position = List.copyOf(parameters.keySet()).indexOf(leader);
        KeyDistribution distribution = path(leader).distribution();
        return draws -> {
            KeySampler sampler = draws.like(position).sampler(distribution, texts.length);
            return path.count() == 0
                    ? new Value.OfTexts(texts, sampler)
                    : new ArrayValue(texts, path.count(), sampler, draws.random());
        };
    }

    private CustomParameter.Path path(String name) {
        return (CustomParameter.Path) Objects.requireNonNull(parameters.get(name));
    }

    /** The parameters that draw from the same row, the leader first. */
    private List<String> together(String leader) {
        List<String> together = new ArrayList<>(List.of(leader));
        parameters.forEach((name, parameter) -> {
            if (parameter instanceof CustomParameter.Path path && path.with().equals(leader)) {
                together.add(name);
            }
        });
        return together;
    }
}
