package io.pgstress.operation.custom;

import io.pgstress.dataset.KeyLoader;
import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.SplitMix;
import io.pgstress.dataset.Table;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.custom.CustomOperation.CustomParameter;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The sources of an operation's parameters that take their values from the documents. Parameters {@code with} each other are
 * sampled together and draw from the same row. Used by one thread.
 */
final class PathSources {
    /** If a sample has fewer values than this, and fewer than requested, all rows are read. */
    private static final int MIN_VALUES = 100;

    private static final int FETCH_ROWS = 1_000;

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
     * @throws InvalidPlanException if no row has the values; only for the first of several parameters
     *     {@code with} each other
     */
    ValueSource source(String name, CustomParameter.Path path, Connection control) throws SQLException {
        String leader = path.with().isEmpty() ? name : path.with();
        List<String> together = together(leader);
        List<String[]> rows = samples.get(leader);
        if (rows == null) {
            samples.put(leader, List.of());
            rows = sample(together.stream().map(this::path).toList(), control);
            samples.put(leader, rows);
        }
        if (rows.isEmpty()) {
            return draws -> new ParameterValue.Kept(); // reported before
        }
        int column = together.indexOf(name);
        String[] texts = rows.stream().map(row -> row[column]).toArray(String[]::new);
        int position = List.copyOf(parameters.keySet()).indexOf(leader);
        KeyDistribution distribution = path(leader).distribution();
        return draws -> {
            KeySampler sampler = draws.like(position).sampler(distribution, texts.length);
            return path.count() == 0
                    ? ParameterValue.OfTexts.of(texts, sampler)
                    : ParameterValue.OfTexts.arrays(texts, path.count(), sampler, draws.random());
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

    /**
     * Rows that have a value at every path, at most the requested number; each has the values in the order of the paths. A uniform
     * sample: reservoir sampling (Vitter, "Random sampling with a reservoir", 1985, algorithm R) over a Bernoulli sample of a
     * large table's rows, or over all rows if the path is rare.
     *
     * @param paths at least one; the first one has the settings of the sample
     * @param control in autocommit mode, before and after
     * @throws InvalidPlanException if no row has all values
     */
    private List<String[]> sample(List<CustomParameter.Path> paths, Connection control) throws SQLException {
        CustomParameter.Path first = paths.get(0);
        double percent = 100.0 * 2 * first.sample() / Math.max(1, table.rows());
        List<String[]> values = List.of();
        if (percent < 100) {
            values = values(paths, control, KeyLoader.sample(control, percent / 100, seed));
        }
        if (values.size() < Math.min(MIN_VALUES, first.sample())) {
            values = values(paths, control, "");
        }
        if (values.isEmpty()) {
            throw new InvalidPlanException(first.source()
                    .message("no row of " + table.name() + " has a value at "
                            + paths.stream().map(CustomParameter.Path::path).collect(Collectors.joining(" and "))));
        }
        return values;
    }

    private List<String[]> values(List<CustomParameter.Path> paths, Connection control, String part)
            throws SQLException {
        String values = IntStream.range(0, paths.size())
                .mapToObj(p -> "data " + (paths.get(p).json() ? "#>" : "#>>") + " ? v" + p)
                .collect(Collectors.joining(", "));
        String present = IntStream.range(0, paths.size())
                .mapToObj(p -> "v" + p + " is not null")
                .collect(Collectors.joining(" and "));
        String sql =
                "select x.* from (select " + values + " from " + table.name().quoted() + part + ") x where " + present;
        // otherwise the driver would hold all rows in memory
        return ControlSql.rolledBack(control, () -> read(paths, control, sql));
    }

    private List<String[]> read(List<CustomParameter.Path> paths, Connection control, String sql) throws SQLException {
        try (PreparedStatement statement = control.prepareStatement(sql)) {
            statement.setFetchSize(FETCH_ROWS);
            for (int p = 0; p < paths.size(); p++) {
                statement.setArray(
                        p + 1, control.createArrayOf("text", paths.get(p).keys().toArray()));
            }
            try (ResultSet rows = statement.executeQuery()) {
                return reservoir(paths, rows);
            }
        }
    }

    private List<String[]> reservoir(List<CustomParameter.Path> paths, ResultSet rows) throws SQLException {
        CustomParameter.Path first = paths.get(0);
        SplitMix random = new SplitMix(seed, first.keys().hashCode());
        List<String[]> values = new ArrayList<>();
        for (int seen = 1; seen < Integer.MAX_VALUE && rows.next(); seen++) {
            if (values.size() < first.sample()) {
                values.add(row(rows, paths.size()));
            } else {
                int place = random.below(seen);
                if (place < values.size()) {
                    values.set(place, row(rows, paths.size()));
                }
            }
        }
        return values;
    }

    private static String[] row(ResultSet rows, int columns) throws SQLException {
        String[] row = new String[columns];
        for (int p = 0; p < row.length; p++) {
            row[p] = rows.getString(p + 1);
        }
        return row;
    }
}
