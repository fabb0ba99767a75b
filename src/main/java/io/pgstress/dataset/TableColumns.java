package io.pgstress.dataset;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Nearest;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A table's columns as the catalog shows them. */
public final class TableColumns {
    private static final String TABLES = """
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)'
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = '_id' and not a.attisdropped)
        order by 1 limit 1000
        """;

    private static final String SCHEMAS = """
        select string_agg(quote_ident(n.nspname), ', ' order by n.nspname)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)' and c.relname =\s"""; // and its name

    /** Tables listed in a message. */
    private static final int MAX_LISTED = 5;

    /** The first versions of PostgreSQL with identity columns, and with generated columns. */
    private static final int IDENTITY_SINCE = 10;

    private static final int GENERATED_SINCE = 12;

    private TableColumns() {}

    /**
     * The column {@code _id}.
     *
     * @param isUnique whether an index keeps its values unique in all rows that a query of the table finds
     */
    record Key(KeyType type, boolean isUnique) {
        boolean isInteger() {
            return type == KeyType.INT || type == KeyType.BIGINT;
        }
    }

    /**
     * A column.
     *
     * @param catalogType the type's name in the catalog, such as {@code int4}
     * @param type the type's name in SQL, without a modifier
     * @param isUnique whether an index on it alone keeps its values unique; false if rows of child tables are among those of the table
     * @param isGenerated whether the server computes its values from other columns
     * @param isIdentity whether the server always numbers its values
     */
    public record Column(String catalogType, String type, boolean isUnique, boolean isGenerated, boolean isIdentity) {}

    public static boolean exists(Connection connection, TableName name) throws SQLException {
        return !read(connection, name).isEmpty();
    }

    /** The table that is meant: the one of this name, or if there is none, that of another reading; else the name itself. */
    static TableName find(Connection connection, TableName name) throws SQLException {
        if (!exists(connection, name)) {
            for (TableName other : name.otherReadings()) {
                if (exists(connection, other)) {
                    return other;
                }
            }
        }
        return name;
    }

    /**
     * The type of the table's {@code _id}.
     *
     * @throws TargetException if the table does not exist or is not {@code (_id, data jsonb)}
     */
    public static KeyType keyType(Connection connection, TableName name) throws SQLException {
        return key(connection, name).type();
    }

    /**
     * The table's {@code _id}.
     *
     * @throws TargetException if the table does not exist or is not {@code (_id, data jsonb)}
     */
    static Key key(Connection connection, TableName name) throws SQLException {
        Map<String, Column> columns = read(connection, name);
        if (columns.isEmpty()) {
            throw new TargetException("there is no table " + name + hint(connection, name));
        }
        Column id = columns.get("_id");
        Column data = columns.get("data");
        if (id == null || data == null) {
            throw new TargetException("table " + name + " has no column " + (id == null ? "_id" : "data")
                    + ": the operations need (_id, data jsonb), as stress import creates it");
        }
        if (!data.catalogType().equals("jsonb")) {
            throw new TargetException("column data of table " + name + " must be jsonb, but is " + data.catalogType());
        }
        Optional<KeyType> type = KeyType.ofCatalogName(id.catalogType());
        return new Key(
                type.orElseThrow(
                        () -> new TargetException("column _id of table " + name + " is of type " + id.catalogType()
                                + ", which is not a key type (int4, int8, numeric, text, uuid, timestamptz)")),
                id.isUnique());
    }

    /**
     * The quoted names of the columns beside {@code _id} and {@code data} that a copy of a row has to be given: all but those
     * that the server generates. In the order of the table.
     */
    public static List<String> others(Connection connection, TableName name) throws SQLException {
        return read(connection, name).entrySet().stream()
                .filter(column -> !column.getKey().equals("_id")
                        && !column.getKey().equals("data")
                        && !column.getValue().isGenerated()
                        && !column.getValue().isIdentity())
                .map(column -> Quoting.identifier(column.getKey()))
                .toList();
    }

    /** Whether the server numbers the rows of a table, and takes no {@code _id} from a statement. */
    static boolean hasNumberedIds(Connection connection, TableName name) throws SQLException {
        Column id = read(connection, name).get("_id");
        return id != null && id.isIdentity();
    }

    /** The columns of a table by their names, in its order; none if it does not exist. */
    public static Map<String, Column> read(Connection connection, TableName name) throws SQLException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        Map<String, Column> columns = new LinkedHashMap<>();
        String sql = "select a.attname, t.typname, format_type(a.atttypid, null), exists (select 1 from pg_index i"
                + " where i.indrelid = a.attrelid and i.indisunique and i.indisvalid and i.indnatts = 1"
                + " and i.indkey[0] = a.attnum and i.indpred is null)"
                // each child table has its own index, if any; partitions share that of their table
                + " and not exists (select 1 from pg_inherits h join pg_class p on p.oid = h.inhparent"
                + " where h.inhparent = a.attrelid and p.relkind <> 'p'), "
                + (version >= GENERATED_SINCE ? "a.attgenerated <> ''" : "false") + ", "
                + (version >= IDENTITY_SINCE ? "a.attidentity = 'a'" : "false")
                + " from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = to_regclass("
                + name.literal() // before 9.6, to_regclass takes no bound text
                + ") and a.attnum > 0 and not a.attisdropped order by a.attnum";
        ControlSql.rows(
                connection,
                sql,
                row -> columns.put(
                        row.getString(1),
                        new Column(
                                row.getString(2),
                                row.getString(3),
                                row.getBoolean(4),
                                row.getBoolean(5),
                                row.getBoolean(6))));
        return columns;
    }

    private static String hint(Connection connection, TableName name) throws SQLException {
        String schemas = name.schema().isEmpty()
                ? ControlSql.text(connection, SCHEMAS + Quoting.literal(name.name()))
                        .orElse("")
                : "";
        if (!schemas.isEmpty()) {
            return " in the search path; there is one in schema " + schemas;
        }
        List<String> tables = ControlSql.rows(connection, TABLES, row -> row.getString(1));
        if (tables.isEmpty()) {
            return "; the database has no tables with a column _id, stress import makes them from a dump";
        }
        String hint = Nearest.hint(name.name(), tables);
        return hint.isEmpty()
                ? tables.stream()
                        .limit(MAX_LISTED)
                        .collect(Collectors.joining(
                                ", ", "; the database has ", tables.size() > MAX_LISTED ? ", ..." : ""))
                : hint;
    }
}
