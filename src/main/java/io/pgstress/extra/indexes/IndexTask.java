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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An index to create, and what became of it. Used by one thread at a time. */
final class IndexTask {
    /** SQLSTATE unique_violation. */
    private static final String DUPLICATES = "23505";
    /** SQLSTATE program_limit_exceeded, such as a value that is too long for a B-tree. */
    private static final String TOO_LONG = "54000";

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
                    + ": drop or rename it, and run the same command again with --resume");
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
        String message = ServerErrors.sampleOf(e) + " (SQLSTATE " + ServerErrors.stateOf(e) + ")";
        if (TOO_LONG.equals(e.getSQLState())) {
            return message + "; a hash index accepts values of any length, for equality";
        }
        if (!DUPLICATES.equals(e.getSQLState())) {
            return message;
        }
        try {
            return Violations.of(connection, table, definition)
                    + "; correct them, and run the same command again with --resume";
        } catch (SQLException other) {
            return message + "; the rows could not be found: " + ServerErrors.sampleOf(other);
        }
    }

    IndexResult.Part result() {
        return new IndexResult.Part(
                name, definition.describe(), definition.sql(name, table), state.toString(), bytes, seconds, fault);
    }

    /** The rows that a unique index does not allow, by their ids. */
    static final class Violations {
        private static final int MAX_GROUPS = 5;
        private static final int MAX_IDS = 5;

        private Violations() {}

        /** The first groups of rows with the same values, as text. */
        static String of(Connection connection, TableName table, Definition definition) throws SQLException {
            List<String> columns =
                    definition.columns().stream().map(Column::value).toList();
            String values = String.join(", ", columns);
            String present = String.join(" is not null and ", columns) + " is not null";
            String where = definition.where().isEmpty() ? "" : "(" + definition.where() + ") and ";
            String groups = "select (array_agg(_id::text order by _id))[1:" + MAX_IDS
                    + "] as ids, count(*) as rows from " + table.quoted() + " where " + where + present + " group by "
                    + values + " having count(*) > 1";
            List<String> lines = new ArrayList<>();
            long count = 0;
            try (Statement statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery("select array_to_string(ids, ', '), rows, count(*) over () from ("
                                    + groups + ") g order by ids limit " + MAX_GROUPS)) {
                while (row.next()) {
                    long more = row.getLong(2) - MAX_IDS;
                    lines.add("_id " + row.getString(1)
                            + (more > 0 ? String.format(Locale.ROOT, " and %,d more", more) : ""));
                    count = row.getLong(3);
                }
            }
            String more = count > lines.size()
                    ? String.format(Locale.ROOT, "; and %,d more groups", count - lines.size())
                    : "";
            return "rows with the same values: " + String.join("; ", lines) + more;
        }
    }
}
