package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.ColumnOptions.Misfit;
import io.pgstress.importer.table.ColumnOptions.Mode;
import io.pgstress.importer.table.TypedColumns.Column;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
        if (!options.specs().isEmpty() && options.mode() == Mode.GENERATED && !canGenerate()) {
            problems.add("--column-mode generated: this server is PostgreSQL "
                    + connection.getMetaData().getDatabaseMajorVersion() + ", and generated columns came with "
                    + TableColumn.GENERATED_SINCE + ": use --column-mode filled");
        }
        return problems;
    }

    /** Whether new columns are filled rather than generated. */
    public boolean fills() throws SQLException {
        return !options.specs().isEmpty() && (options.mode() == Mode.FILLED || !canGenerate());
    }

    private boolean canGenerate() throws SQLException {
        return connection.getMetaData().getDatabaseMajorVersion() >= TableColumn.GENERATED_SINCE;
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

    private String missing(ColumnSpec spec, TableName table) throws SQLException {
        boolean generated = options.mode() != Mode.FILLED && canGenerate();
        return "no such column; use --if-exists drop, or add it: " + alter(table, List.of(new Column(spec, generated)));
    }

    private String unfit(ColumnSpec spec, TableColumn column) {
        if (!column.type().equals(spec.type().sql())) {
            return "it with type " + column.type() + ", not " + spec.type().sql();
        }
        boolean wrong = options.mode() != Mode.AUTO && column.generated() != (options.mode() == Mode.GENERATED);
        return wrong
                ? (column.generated() ? "it as a generated column" : "it, but not as a generated column")
                        + "; leave out --column-mode"
                : "";
    }

    /**
     * The columns of a collection's new table.
     *
     * @throws SQLException if the server cannot be asked for its version
     */
    public TypedColumns ofNew(DumpCollection collection) throws SQLException {
        List<ColumnSpec> specs = options.of(collection);
        if (specs.isEmpty()) {
            return TypedColumns.NONE;
        }
        boolean generated = options.mode() != Mode.FILLED && canGenerate();
        List<Column> columns =
                specs.stream().map(spec -> new Column(spec, generated)).toList();
        return new TypedColumns(columns, options.misfit() == Misfit.REJECT);
    }

    /**
     * The columns of a collection's table that exists.
     *
     * @throws TargetException if the table lacks one
     */
    public TypedColumns ofExisting(DumpCollection collection, TableName table) throws SQLException {
        List<ColumnSpec> specs = options.of(collection);
        if (specs.isEmpty()) {
            return TypedColumns.NONE;
        }
        List<String> problems = problems(collection, table);
        if (!problems.isEmpty()) {
            throw new TargetException(String.join("; ", problems));
        }
        List<Column> columns = new ArrayList<>();
        for (Map.Entry<String, TableColumn> each :
                TableColumn.of(connection, table).entrySet()) {
            for (ColumnSpec spec : specs) {
                if (spec.name().equals(each.getKey())) {
                    columns.add(new Column(spec, each.getValue().generated()));
                }
            }
        }
        return new TypedColumns(columns, options.misfit() == Misfit.REJECT);
    }

    /** Adds the columns to a new table. */
    public void add(TableName table, TypedColumns columns) throws SQLException {
        if (!columns.isEmpty()) {
            ControlSql.execute(connection, alter(table, columns.all()));
        }
    }

    private static String alter(TableName table, List<Column> columns) {
        return "alter table " + table.quoted()
                + columns.stream()
                        .map(column -> " add column " + column.quoted() + " "
                                + column.spec().type().sql()
                                + (column.generated()
                                        ? " generated always as (" + ColumnSql.of(column.spec(), true) + ") stored"
                                        : ""))
                        .collect(Collectors.joining(","));
    }

    /** A note about the columns of an existing table that no option fills; none if there are none. */
    public Optional<String> unfilled(TableName table, TypedColumns columns, boolean exists) throws SQLException {
        List<String> unfilled = new ArrayList<>(exists ? TableColumns.others(connection, table) : List.of());
        columns.filled().forEach(column -> unfilled.remove(column.quoted()));
        return unfilled.isEmpty()
                ? Optional.empty()
                : Optional.of("columns that take their defaults, because no --column fills them: "
                        + String.join(", ", unfilled));
    }

    /** What is wrong with the values of filled columns, compared with {@code data}; empty if nothing. */
    public String fault(TableName table, TypedColumns columns) throws SQLException {
        List<String> faults = new ArrayList<>();
        for (Column column : columns.filled()) {
            String wrong = "select count(*), min(_id::text) from " + table.quoted() + " where " + column.quoted()
                    + " is distinct from (" + ColumnSql.of(column.spec(), canGenerate()) + ")";
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(wrong)) {
                row.next();
                if (row.getLong(1) > 0) {
                    faults.add("column " + column.spec().name() + " differs from data in "
                            + Counted.of(row.getLong(1), "row") + ", such as with _id " + row.getString(2));
                }
            }
        }
        return String.join("; ", faults);
    }
}
