package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.ColumnOptions.Misfit;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The typed columns of tables on the server: checks, creates and verifies them. Used by one thread. */
public final class ColumnTables {
    private final Connection connection;
    private final ColumnOptions options;

    public ColumnTables(Connection connection, ColumnOptions options) {
        this.connection = connection;
        this.options = options;
    }

    /** The problems with the options themselves, for these collections and this server. */
    public List<String> problems(List<DumpCollection> collections) throws SQLException {
        List<String> problems = new ArrayList<>();
        for (ColumnSpec spec : options.specs()) {
            if (!collections.isEmpty() && spec.isOfNone(collections)) {
                problems.add(
                        "--column " + spec.collections() + "." + spec.name() + ": the input has no such collection");
            }
        }
        for (DumpCollection collection : collections) {
            Set<String> names = new HashSet<>();
            for (ColumnSpec spec : options.of(collection)) {
                if (!names.add(spec.name())) {
                    problems.add("--column " + spec.name() + ": collection " + collection.namespace()
                            + " gets two columns of this name");
                }
            }
        }
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (!options.specs().isEmpty() && version < TableColumn.GENERATED_SINCE) {
            problems.add("--column: this server is PostgreSQL " + version + ", and generated columns came with "
                    + TableColumn.GENERATED_SINCE);
        }
        return problems;
    }

    /** What an existing table lacks for the rows of the collection; empty if nothing. */
    public List<String> problems(DumpCollection collection, TableName table) throws SQLException {
        List<String> problems = new ArrayList<>();
        Map<String, TableColumn> existing = options.specs().isEmpty() ? Map.of() : TableColumn.of(connection, table);
        for (ColumnSpec spec : existing.isEmpty() ? List.<ColumnSpec>of() : options.of(collection)) {
            TableColumn column = existing.get(spec.name());
            String problem = column == null ? missing(spec, table) : unfit(spec, column);
            if (!problem.isEmpty()) {
                problems.add("--column " + spec.name() + ": table " + table + " has " + problem);
            }
        }
        return problems;
    }

    private static String missing(ColumnSpec spec, TableName table) {
        return "no such column; use --if-exists drop, or add it: " + alter(table, List.of(spec));
    }

    private static String unfit(ColumnSpec spec, TableColumn column) {
        if (!column.type().equals(spec.type().sql())) {
            return "it with type " + column.type() + ", not " + spec.type().sql();
        }
        return column.generated() ? "" : "it, but not as a generated column";
    }

    /** The columns of a collection's new table. */
    public TypedColumns ofNew(DumpCollection collection) {
        return new TypedColumns(options.of(collection), options.misfit() == Misfit.REJECT);
    }

    /**
     * The columns of a collection's table that exists.
     *
     * @throws TargetException if the table lacks one
     */
    public TypedColumns ofExisting(DumpCollection collection, TableName table) throws SQLException {
        List<String> problems = problems(collection, table);
        if (!problems.isEmpty()) {
            throw new TargetException(String.join("; ", problems));
        }
        return ofNew(collection);
    }

    /** Adds the columns to a new table. */
    public void add(TableName table, TypedColumns columns) throws SQLException {
        if (!columns.isEmpty()) {
            ControlSql.execute(connection, alter(table, columns.all()));
        }
    }

    private static String alter(TableName table, List<ColumnSpec> columns) {
        return "alter table " + table.quoted()
                + columns.stream()
                        .map(column -> " add column " + column.quoted() + " "
                                + column.type().sql() + " generated always as (" + ColumnSql.of(column) + ") stored")
                        .collect(Collectors.joining(","));
    }

    /** A note about the columns of a table that take their defaults; none if there are none. */
    public Optional<String> unfilled(TableName table) throws SQLException {
        List<String> unfilled = TableColumns.others(connection, table);
        return unfilled.isEmpty()
                ? Optional.empty()
                : Optional.of("columns that take their defaults, because the import does not fill them: "
                        + String.join(", ", unfilled));
    }
}
