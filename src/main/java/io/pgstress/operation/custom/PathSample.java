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

/**
 * A uniform sample of the values at a path: reservoir sampling (Vitter, "Random sampling with a reservoir", 1985,
 * algorithm R) over a Bernoulli sample of a large table's rows, or over all rows if the path is rare.
 */
final class PathSample {
    /** If a sample has fewer values than this, and fewer than requested, all rows are read. */
    private static final int MIN_VALUES = 100;

    private static final int FETCH_ROWS = 1_000;

    private final CustomParameter.Path path;
    private final Table table;
    private final long seed;

    PathSample(CustomParameter.Path path, Table table, long seed) {
        this.path = path;
        this.table = table;
        this.seed = seed;
    }

    /**
     * The values, at most the requested number.
     *
     * @param control in autocommit mode, before and after
     * @throws InvalidPlanException if no row has a value
     */
    String[] read(Connection control) throws SQLException {
        double percent = 100.0 * 2 * path.sample() / Math.max(1, table.rows());
        List<String> values = List.of();
        if (percent < 100) {
            values = values(
                    control,
                    String.format(Locale.ROOT, " tablesample bernoulli (%.6f) repeatable (%d)", percent, seed));
        }
        if (values.size() < Math.min(MIN_VALUES, path.sample())) {
            values = values(control, "");
        }
        if (values.isEmpty()) {
            throw new InvalidPlanException(path.source()
                    .message("no row of " + table.name() + " has a value at " + String.join(".", path.keys())));
        }
        return values.toArray(String[]::new);
    }

    private List<String> values(Connection control, String part) throws SQLException {
        String sql = "select v from (select data " + (path.json() ? "#>" : "#>>") + " ? v from "
                + table.name().quoted() + part + ") x where v is not null";
        control.setAutoCommit(false); // otherwise the driver would hold all rows in memory
        try (PreparedStatement statement = control.prepareStatement(sql)) {
            statement.setFetchSize(FETCH_ROWS);
            statement.setArray(1, control.createArrayOf("text", path.keys().toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                return reservoir(rows);
            }
        } finally {
            control.rollback();
            control.setAutoCommit(true);
        }
    }

    private List<String> reservoir(ResultSet rows) throws SQLException {
        SplitMix random = new SplitMix(seed, path.keys().hashCode());
        List<String> values = new ArrayList<>();
        for (int seen = 1; seen < Integer.MAX_VALUE && rows.next(); seen++) {
            if (values.size() < path.sample()) {
                values.add(rows.getString(1));
            } else {
                int place = random.below(seen);
                if (place < values.size()) {
                    values.set(place, rows.getString(1));
                }
            }
        }
        return values;
    }
}
