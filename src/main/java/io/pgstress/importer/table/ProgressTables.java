package io.pgstress.importer.table;

import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables that record the progress of imports, in a schema of their own. They stay when an import is complete, so that resuming
 * it does not load the input twice. Thread-safe.
 */
public final class ProgressTables {
    /** The schema of roles that may create it, or use it. */
    public static final String SCHEMA = "stress_progress";

    /** SQLSTATE insufficient_privilege. */
    private static final String DENIED = "42501";

    private final String schema;
    private final String base;

    private ProgressTables(String schema, String base) {
        this.schema = schema;
        this.base = base;
    }

    /**
     * The tables in a schema.
     *
     * @param schema the schema; empty: {@link #SCHEMA}, or the search path if the role has no access to it or the search path already
     *     has such tables
     * @throws TargetException if a table of this name is there that is not one of this version
     */
    public static ProgressTables in(Connection connection, String schema) throws SQLException {
        String chosen = !schema.isEmpty() ? schema : hasOwnSchema(connection) ? SCHEMA : "";
        TableName table = new TableName(chosen, ProgressTable.NAME);
        if (TableColumns.exists(connection, table) && !isOfThisVersion(connection, table)) {
            throw new TargetException("the table " + table + " is not one in which this version of pgstress records the"
                    + " progress of imports: name another schema with --progress-schema, or rename the table");
        }
        return new ProgressTables(
                chosen,
                chosen.isEmpty()
                        ? ""
                        : ControlSql.text(connection, "select current_schema()").orElse(""));
    }

    private static boolean hasOwnSchema(Connection connection) throws SQLException {
        if (ControlSql.exists(
                connection,
                "select 1 from pg_namespace where nspname = '" + SCHEMA
                        + "' and not has_schema_privilege(oid, 'usage')")) {
            return false; // the names of its tables could not even be looked up
        }
        TableName table = new TableName(SCHEMA, ProgressTable.NAME);
        if (TableColumns.exists(connection, table)) {
            return ControlSql.exists(
                    connection, "select 1 where has_table_privilege(" + table.literal() + ", 'insert')");
        }
        if (isOfThisVersion(connection, new TableName("", ProgressTable.NAME))) {
            return false; // not tables of an earlier version, which could not be resumed either
        }
        // a schema that exists must be open to the role, and otherwise the database
        return ControlSql.exists(
                connection,
                "select 1 where case when exists (select 1 from pg_namespace where nspname = '" + SCHEMA + "')"
                        + " then has_schema_privilege((select oid from pg_namespace where nspname = '" + SCHEMA
                        + "'), 'create') else has_database_privilege(current_database(), 'create') end");
    }

    private static boolean isOfThisVersion(Connection connection, TableName table) throws SQLException {
        return ControlSql.exists(
                connection,
                "select 1 from pg_attribute where attrelid = to_regclass(" + table.literal() + ") and attname = '"
                        + ProgressTable.LAST_COLUMN + "'");
    }

    /** The progress of each import. */
    public ProgressTable imports() {
        return new ProgressTable(this);
    }

    /** The chunks that unfinished imports have loaded. */
    public LoadedChunks chunks() {
        return new LoadedChunks(this);
    }

    /** The names of the tables. */
    public List<TableName> names() {
        return List.of(name(ProgressTable.NAME), name(LoadedChunks.NAME));
    }

    TableName name(String table) {
        return new TableName(schema, table);
    }

    /** The text that identifies a table. Imports with different search paths may share a schema of progress tables. */
    String key(TableName table) {
        return table.schema().isEmpty() ? new TableName(base, table.name()).toString() : table.toString();
    }

    /** The condition for the rows about a table. */
    String where(TableName table) {
        return " where target = " + Quoting.literal(key(table));
    }

    /**
     * Creates the tables if they are missing.
     *
     * @return the tables that were created
     * @throws TargetException if the role may not create them
     */
    public List<TableName> create(Connection connection) throws SQLException {
        List<TableName> made = new ArrayList<>();
        create(connection, name(ProgressTable.NAME), ProgressTable.COLUMNS, made);
        create(connection, name(LoadedChunks.NAME), LoadedChunks.COLUMNS, made);
        return made;
    }

    /** Creates a table that is missing. One that exists needs no privilege on its schema. */
    void create(Connection connection, TableName table, String columns, List<TableName> made) throws SQLException {
        if (TableColumns.exists(connection, table)) {
            return;
        }
        if (!schema.isEmpty()
                && !ControlSql.exists(
                        connection, "select 1 from pg_namespace where nspname = " + Quoting.literal(schema))) {
            execute(connection, "create schema if not exists " + Quoting.identifier(schema), table);
        }
        execute(connection, "create table if not exists " + sql(table) + " " + columns, table);
        made.add(table);
    }

    private static void execute(Connection connection, String sql, TableName table) throws SQLException {
        try {
            ControlSql.execute(connection, sql);
        } catch (SQLException e) {
            if (!DENIED.equals(e.getSQLState())) {
                throw e;
            }
            throw new TargetException(
                    ServerErrors.sampleOf(e) + ": an import records its progress in the table " + table
                            + "; use --progress-schema with a schema in which this role may create tables, grant CREATE"
                            + " to this role, or let another role run: " + sql + "; grant all on " + sql(table)
                            + " to this role",
                    e);
        }
    }

    /** A table's name in statements. */
    static String sql(TableName table) {
        return table.schema().isEmpty() ? table.name() : table.quoted();
    }
}
