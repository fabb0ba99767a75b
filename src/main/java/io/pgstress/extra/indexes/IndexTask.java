package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.IndexPlan.Column;
import io.pgstress.extra.indexes.IndexPlan.Definition;
import io.pgstress.importer.IndexResult;
import io.pgstress.importer.IndexResult.State;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Tables;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An index to create, and what became of it. Used by one thread at a time. */
final class IndexTask {
    /** SQLSTATE program_limit_exceeded, such as a value that is too long for a B-tree. */
    private static final String TOO_LONG = "54000";

    private static final int MAX_GROUPS = 5;
    private static final int MAX_IDS = 5;

    private final TableName table;
    private final Definition definition;
    private final Tables sizes;
    private String name;
    private final String shown;
    private State state = State.PLANNED;
    private long bytes;
    private double seconds;
    private String fault = "";

    /**
     * @param index MongoDB's name
     * @param name the name here
     */
    IndexTask(TableName table, String index, String name, Definition definition, Tables sizes) {
        this.table = table;
        this.definition = definition;
        this.sizes = sizes;
        this.name = name;
        this.shown = table + ": " + index;
    }

    String name() {
        return name;
    }

    /** The table and MongoDB's name, for progress. */
    String shown() {
        return shown;
    }

    boolean isOpen() {
        return state == State.PLANNED;
    }

    /** Looks whether the table has the index already. */
    void compare(Connection connection, IndexCatalog catalog) throws SQLException {
        String found = catalog.find(name, definition);
        if (!found.isEmpty()) {
            state = State.EXISTS;
            name = found;
            bytes = sizes.bytesOfIndex(connection, table, found);
        } else if (catalog.has(name)) {
            failed("an index of this name exists with another definition, " + catalog.definition(name)
                    + "; drop or rename it");
        }
    }

    /** Creates the index; a failure is recorded. */
    void create(Connection connection) {
        long start = System.nanoTime();
        try {
            ControlSql.execute(connection, definition.sql(name, table));
            seconds = (System.nanoTime() - start) / 1e9;
            state = State.CREATED;
            bytes = sizes.bytesOfIndex(connection, table, name);
        } catch (SQLException e) {
            seconds = (System.nanoTime() - start) / 1e9;
            failed(reason(connection, e));
        }
    }

    void failed(String why) {
        state = State.FAILED;
        fault = why;
    }

    private String reason(Connection connection, SQLException e) {
        String message = ServerErrors.sampleWithState(e);
        if (TOO_LONG.equals(e.getSQLState())) {
            return message + "; a hash index accepts values of any length, for equality";
        }
        if (!ServerErrors.isDuplicateKey(e)) {
            return message;
        }
        try {
            return violations(connection);
        } catch (SQLException other) {
            return message + "; the rows could not be found: " + ServerErrors.sampleOf(other);
        }
    }

    IndexResult.Part result() {
        return new IndexResult.Part(
                name, definition.describe(), definition.sql(name, table), state.toString(), bytes, seconds, fault);
    }

    /** The first groups of rows that the unique index does not allow, by their ids. */
    private String violations(Connection connection) throws SQLException {
        List<String> columns = definition.columns().stream().map(Column::value).toList();
        String where = definition.where().isEmpty() ? "" : "(" + definition.where() + ") and ";
        String groups = "select (array_agg(_id::text order by _id))[1:" + MAX_IDS + "] as ids, count(*) as rows from "
                + table.quoted() + " where " + where + String.join(" is not null and ", columns)
                + " is not null group by " + String.join(", ", columns) + " having count(*) > 1";
        List<String> lines = new ArrayList<>();
        long[] count = {0};
        ControlSql.rows(
                connection,
                "select array_to_string(ids, ', '), rows, count(*) over () from (" + groups + ") g order by ids limit "
                        + MAX_GROUPS,
                row -> {
                    long more = row.getLong(2) - MAX_IDS;
                    count[0] = row.getLong(3);
                    return lines.add("_id " + row.getString(1)
                            + (more > 0 ? String.format(Locale.ROOT, " and %,d more", more) : ""));
                });
        String more = count[0] > lines.size()
                ? String.format(Locale.ROOT, "; and %,d more groups", count[0] - lines.size())
                : "";
        return "rows with the same values: " + String.join("; ", lines) + more;
    }
}
