package io.pgstress.operation.custom;

import io.pgstress.dataset.SplitMix;
import io.pgstress.dataset.Table;
import io.pgstress.plan.custom.CustomParameter;
import io.pgstress.plan.option.InvalidPlanException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A uniform sample of rows with the values at some paths: reservoir sampling (Vitter, "Random sampling with a reservoir", 1985,
 * algorithm R) over a Bernoulli sample of a large table's rows, or over all rows if the path is rare.
 */
final class PathSample {
    /** If a sample has fewer values than this, and fewer than requested, all rows are read. */
    private static final int MIN_VALUES = 100;

    private static final int FETCH_ROWS = 1_000;

    private final List<CustomParameter.Path> paths;
    private final CustomParameter.Path first;
    private final Table table;
    private final long seed;

    /** @param paths at least one; the first one has the settings of the sample */
    PathSample(List<CustomParameter.Path> paths, Table table, long seed) {
        this.paths = List.copyOf(paths);
        this.first = paths.get(0);
        this.table = table;
        this.seed = seed;
    }

    /**
     * Rows that have a value at every path, at most the requested number; each has the values in the order of the paths.
     *
     * @param control in autocommit mode, before and after
     * @throws InvalidPlanException if no row has all values
     */
    List<String[]> read(Connection control) throws SQLException {
        double percent = 100.0 * 2 * first.sample() / Math.max(1, table.rows());
        List<String[]> values = List.of();
        if (percent < 100) {
            values = values(
                    control,
                    String.format(Locale.ROOT, " tablesample bernoulli (%.6f) repeatable (%d)", percent, seed));
        }
        if (values.size() < Math.min(MIN_VALUES, first.sample())) {
            values = values(control, "");
        }
        if (values.isEmpty()) {
            throw new InvalidPlanException(first.source()
                    .message("no row of " + table.name() + " has a value at "
                            + paths.stream().map(CustomParameter.Path::path).collect(Collectors.joining(" and "))));
        }
        return values;
    }

    private List<String[]> values(Connection control, String part) throws SQLException {
        String values = IntStream.range(0, paths.size())
                .mapToObj(p -> "data " + (paths.get(p).json() ? "#>" : "#>>") + " ? v" + p)
                .collect(Collectors.joining(", "));
        String present = IntStream.range(0, paths.size())
                .mapToObj(p -> "v" + p + " is not null")
                .collect(Collectors.joining(" and "));
        String sql =
                "select x.* from (select " + values + " from " + table.name().quoted() + part + ") x where " + present;
        control.setAutoCommit(false); // otherwise the driver would hold all rows in memory
        try (PreparedStatement statement = control.prepareStatement(sql)) {
            statement.setFetchSize(FETCH_ROWS);
            for (int p = 0; p < paths.size(); p++) {
                statement.setArray(
                        p + 1, control.createArrayOf("text", paths.get(p).keys().toArray()));
            }
            try (ResultSet rows = statement.executeQuery()) {
                return reservoir(rows);
            }
        } finally {
            control.rollback();
            control.setAutoCommit(true);
        }
    }

    private List<String[]> reservoir(ResultSet rows) throws SQLException {
        SplitMix random = new SplitMix(seed, first.keys().hashCode());
        List<String[]> values = new ArrayList<>();
        for (int seen = 1; seen < Integer.MAX_VALUE && rows.next(); seen++) {
            if (values.size() < first.sample()) {
                values.add(row(rows));
            } else {
                int place = random.below(seen);
                if (place < values.size()) {
                    values.set(place, row(rows));
                }
            }
        }
        return values;
    }

    private String[] row(ResultSet rows) throws SQLException {
        String[] row = new String[paths.size()];
        for (int p = 0; p < row.length; p++) {
            row[p] = rows.getString(p + 1);
        }
        return row;
    }
}
