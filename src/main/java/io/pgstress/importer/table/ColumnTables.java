package io.pgstress.importer.table;

import io.pgstress.bson.FieldPath;
import io.pgstress.bson.copy.FieldType;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.dataset.TableColumns;
import io.pgstress.dataset.TableColumns.Column;
import io.pgstress.importer.table.ServerName.FreeNames;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The typed columns of tables on the server: checks, creates and verifies them. Used by one thread. */
public record ColumnTables(Connection connection, ColumnOptions options) {
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
            for (ColumnSpec spec : options.of(collection).specs()) {
                if (!names.add(spec.name())) {
                    problems.add("--column " + spec.name() + ": collection " + collection.namespace()
                            + " gets two columns of this name");
                }
            }
        }
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (!options.specs().isEmpty() && version < TableColumns.GENERATED_SINCE) {
            problems.add("--column: this server is PostgreSQL " + version + ", and generated columns came with "
                    + TableColumns.GENERATED_SINCE);
        }
        return problems;
    }

    /** What an existing table lacks for the rows of the collection; empty if nothing. */
    public List<String> problems(DumpCollection collection, TableName table) throws SQLException {
        List<String> problems = new ArrayList<>();
        Map<String, Column> existing = options.specs().isEmpty() ? Map.of() : TableColumns.read(connection, table);
        for (ColumnSpec spec : existing.isEmpty()
                ? List.<ColumnSpec>of()
                : options.of(collection).specs()) {
            Column column = existing.get(spec.name());
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

    private static String unfit(ColumnSpec spec, Column column) {
        if (!column.type().equals(spec.type().sql())) {
            return "it with type " + column.type() + ", not " + spec.type().sql();
        }
        return column.isGenerated() ? "" : "it, but not as a generated column";
    }

    /** The columns of a collection's new table. */
    public ColumnOptions ofNew(DumpCollection collection) {
        return options.of(collection);
    }

    /**
     * The columns of a collection's table that exists.
     *
     * @throws TargetException if the table lacks one
     */
    public ColumnOptions ofExisting(DumpCollection collection, TableName table) throws SQLException {
        List<String> problems = problems(collection, table);
        if (!problems.isEmpty()) {
            throw new TargetException(String.join("; ", problems));
        }
        return ofNew(collection);
    }

    /** Adds the columns to a new table. */
    public void add(TableName table, ColumnOptions columns) throws SQLException {
        if (!columns.specs().isEmpty()) {
            ControlSql.execute(connection, alter(table, columns.specs()));
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

    /**
     * A column's value as an expression over {@code data}: immutable, as generated columns need it, and without an error for
     * whatever {@code data} contains. Values that do not fit are null. It has the value that {@link ColumnReader} finds in the
     * document, in relaxed and in canonical Extended JSON. Parts that might fail are in nested CASEs, because AND does not
     * determine the order of evaluation.
     */
    static final class ColumnSql {
        /** The text of a finite number in a wrapper of Extended JSON. */
        private static final String NUMBER = "'^-?[0-9]+([.][0-9]+)?(E[-+]?[0-9]{1,4})?$'";

        /** An instant from 1970 to 9999 as relaxed JSON writes it. */
        private static final String INSTANT =
                "'^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{3})?Z$'";

        /** The range of timestamptz in milliseconds since 1970; see {@link io.pgstress.bson.json.ValueWriters.Timestamps}. */
        private static final String MILLIS_RANGE = "between -210866803200000 and 9224318015999999";

        private final FieldPath path;

        private ColumnSql(FieldPath path) {
            this.path = path;
        }

        /** The value of a column. */
        static String of(ColumnSpec spec) {
            ColumnSql sql = new ColumnSql(spec.path());
            return switch (spec.type()) {
                case TEXT -> sql.ofType("string", sql.text()) + sql.orElse(sql.any("$oid", "$symbol"));
                case INT -> sql.whole("integer", "between -2147483648 and 2147483647");
                case BIGINT -> sql.whole("bigint", "between -9223372036854775808 and 9223372036854775807");
                case DOUBLE -> sql.doublePrecision();
                case NUMERIC ->
                    sql.ofType("number", sql.number())
                            + sql.orElse(when(sql.wrapped() + " ~ " + NUMBER, sql.wrapped() + "::numeric"));
                case BOOLEAN -> sql.ofType("boolean", sql.text() + "::boolean") + " end";
                case TIMESTAMPTZ -> "(" + sql.timestamp() + ") at time zone 'UTC'";
                case DATE -> "(" + sql.timestamp() + ")::date";
                case UUID -> sql.uuid();
                case JSONB -> "nullif(" + sql.json() + ", 'null')";
            };
        }

        private String doublePrecision() {
            String wrapped = wrapped();
            return ofType("number", inRange(number(), number() + "::double precision"))
                    + " when 'object' then case when " + wrapped + " in ('NaN', 'Infinity', '-Infinity') then "
                    + wrapped
                    + "::double precision when " + wrapped + " ~ " + NUMBER + " then "
                    + inRange(wrapped + "::numeric", wrapped + "::double precision") + " end end";
        }

        /** The value if double precision holds the number; otherwise a cast would fail. */
        private static String inRange(String number, String value) {
            return when(
                    "abs(" + number + ") between 4.9E-324 and 1.7976931348623157E+308 or " + number + " = 0", value);
        }

        private String whole(String type, String range) {
            return ofType("number", whole(number(), type, range))
                    + orElse(when(wrapped() + " ~ " + NUMBER, whole(wrapped() + "::numeric", type, range)));
        }

        private static String whole(String number, String type, String range) {
            return when(number + " " + range, when(number + " = trunc(" + number + ")", number + "::" + type));
        }

        private String number() {
            return json() + "::numeric";
        }

        /** A timestamp without time zone, in UTC. Text is not cast, because such a cast is not immutable. */
        private String timestamp() {
            String iso = text("$date");
            String millis = text("$date", "$numberLong");
            String parts = Stream.of(
                            "years => substr(%s, 1, 4)::int - 1970",
                            "months => substr(%s, 6, 2)::int - 1",
                            "days => substr(%s, 9, 2)::int - 1",
                            "hours => substr(%s, 12, 2)::int",
                            "mins => substr(%s, 15, 2)::int",
                            "secs => rtrim(substr(%s, 18), 'Z')::double precision")
                    .map(part -> part.replace("%s", iso))
                    .collect(Collectors.joining(", "));
            String epoch = "timestamp '1970-01-01 00:00:00'";
            String number = millis + "::bigint";
            return "case when " + iso + " ~ " + INSTANT + " then " + epoch + " + make_interval(" + parts + ") when "
                    + millis
                    + " ~ '^-?[0-9]{1,18}$' then "
                    + when(
                            number + " " + MILLIS_RANGE,
                            epoch + " + (" + number + " / 86400000) * interval '1 day' + (" + number
                                    + " % 86400000) * interval '1 millisecond'")
                    + " end";
        }

        private String uuid() {
            String base64 = text("$binary", "base64");
            return when(
                    text("$binary", "subType") + " = '04'",
                    when(
                            base64 + " ~ '^[A-Za-z0-9+/]{21}[AQgw]==$'",
                            "encode(decode(" + base64 + ", 'base64'), 'hex')::uuid"));
        }

        private static String when(String condition, String value) {
            return "case when " + condition + " then " + value + " end";
        }

        private String ofType(String type, String value) {
            return "case jsonb_typeof(" + json() + ") when '" + type + "' then " + value;
        }

        private String orElse(String ofObject) {
            return " when 'object' then " + ofObject + " end";
        }

        /** The text of a number's wrapper. */
        private String wrapped() {
            return any("$numberDecimal", "$numberDouble", "$numberLong", "$numberInt");
        }

        private String any(String... wrappers) {
            return "coalesce(" + Stream.of(wrappers).map(this::text).collect(Collectors.joining(", ")) + ")";
        }

        private String json() {
            return "(data #> " + literal(path.names()) + ")";
        }

        private String text(String... more) {
            List<String> names = new ArrayList<>(path.names());
            names.addAll(List.of(more));
            return "(data #>> " + literal(names) + ")";
        }

        private static String literal(List<String> names) {
            return Quoting.literal(names.stream().map(Quoting::element).collect(Collectors.joining(",", "{", "}")));
        }
    }

    /** Creates the indexes on typed columns: B-trees, and GIN for jsonb. Used by one thread. */
    public static final class ColumnIndexes {
        private final Connection connection;
        private final FreeNames names;

        public ColumnIndexes(Connection connection) {
            this.connection = connection;
            this.names = new FreeNames(connection);
        }

        /** Creates those that are missing; returns why one could not be created, or an empty string. */
        public String create(TableName table, ColumnOptions columns) throws SQLException {
            List<String> faults = new ArrayList<>();
            for (ColumnSpec column : columns.specs()) {
                if (column.indexed() && !isIndexed(table, column.name())) {
                    try {
                        ControlSql.execute(connection, sql(table, column));
                    } catch (SQLException e) {
                        if (!ServerErrors.sessionIsAlive(e)
                                || ServerErrors.stateOf(e).startsWith("57")) {
                            throw e;
                        }
                        faults.add("no index on column " + column.name() + ": " + ServerErrors.sampleWithState(e));
                    }
                }
            }
            return String.join("; ", faults);
        }

        /** Whether an index on all rows begins with the column. */
        private boolean isIndexed(TableName table, String column) throws SQLException {
            return ControlSql.exists(
                    connection,
                    "select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]"
                            + " where i.indrelid = to_regclass(" + table.literal()
                            + ") and i.indisvalid and i.indpred is null and a.attname = " + Quoting.literal(column));
        }

        /** With a name, because Citus needs one. */
        private String sql(TableName table, ColumnSpec column) throws SQLException {
            String wanted = table.name() + "_" + column.name() + "_idx";
            String name = names.of(new TableName(table.schema(), wanted), taken -> false);
            boolean gin = column.type() == FieldType.JSONB;
            return "create index "
                    + Quoting.identifier(name) + " on " + table.quoted()
                    + (gin ? " using gin (" + column.quoted() + " jsonb_path_ops)" : " (" + column.quoted() + ")");
        }
    }
}
