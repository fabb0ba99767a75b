package io.pgstress.target.dialect;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a server stores a table beyond its columns and indexes: what {@code LIKE ... INCLUDING ALL} does not copy. Two tables with
 * equal storage differ in nothing of it.
 *
 * @param own of the table itself
 * @param parts the partitions, each after its parent; empty if the table has none
 * @param distribution how a cluster distributes the rows
 */
public record TableStorage(Form own, List<Part> parts, Distribution distribution) {
    /** The storage of a table created without options, on one server. */
    public static final TableStorage PLAIN =
            new TableStorage(new Form(false, "", "", "", ""), List.of(), Distribution.NONE);

    private static final int PARTITIONS_SINCE = 10;
    private static final int ACCESS_METHODS_SINCE = 12;

    /** The columns of {@link Form#read}. The kinds of an options list: those of the table, then those of its TOAST table. */
    private static final String FORM = """
            c.relpersistence = 'u',
            array_to_string(array(
              select quote_ident(left(o, strpos(o, '=') - 1)) || ' = ' || quote_literal(substr(o, strpos(o, '=') + 1))
              from unnest(c.reloptions) o
              union all
              select 'toast.' || quote_ident(left(o, strpos(o, '=') - 1)) || ' = '
                     || quote_literal(substr(o, strpos(o, '=') + 1))
              from pg_class t, unnest(t.reloptions) o where t.oid = c.reltoastrelid), ', '),
            coalesce((select quote_ident(spcname) from pg_tablespace s where s.oid = c.reltablespace), ''), """;

    public TableStorage {
        parts = List.copyOf(parts);
    }

    /**
     * One table's own.
     *
     * @param options the storage parameters as in {@code WITH (...)}; empty: none
     * @param tablespace quoted; empty: the database's
     * @param method the access method, quoted; empty: the server's only or default one
     * @param partitioning as after {@code PARTITION BY}; empty: it is not partitioned
     */
    public record Form(boolean isUnlogged, String options, String tablespace, String method, String partitioning) {
        private static Form read(ResultSet row, int first) throws SQLException {
            return new Form(
                    row.getBoolean(first),
                    row.getString(first + 1),
                    row.getString(first + 2),
                    row.getString(first + 3),
                    row.getString(first + 4));
        }

        private String verb() {
            return isUnlogged ? "create unlogged table " : "create table ";
        }

        /** The clauses after the columns, in the order that the server requires. */
        private String clauses() {
            return (partitioning.isEmpty() ? "" : " partition by " + partitioning)
                    + (method.isEmpty() ? "" : " using " + method)
                    + (options.isEmpty() ? "" : " with (" + options + ")")
                    + (tablespace.isEmpty() ? "" : " tablespace " + tablespace);
        }
    }

    /**
     * A partition.
     *
     * @param parent the position of its parent among the partitions; -1: the table itself
     * @param bound as after {@code PARTITION OF parent}
     */
    public record Part(int parent, String bound, Form form) {}

    /**
     * How a cluster distributes the rows of a table.
     *
     * @param method in words of the server; empty: it does not
     * @param column the column that decides about a row; empty: none does
     * @param places which nodes have rows, or which group of tables has them at the same places, in words of the server
     */
    public record Distribution(String method, String column, String places) {
        /** That of a table of one server. */
        public static final Distribution NONE = new Distribution("", "", "");

        /** For people: {@code hash (_id) on dn1, dn2}. */
        String words() {
            return (method + (column.isEmpty() ? "" : " (" + column + ")") + " " + places).trim();
        }
    }

    /** This storage in a cluster. */
    TableStorage with(Distribution found) {
        return new TableStorage(own, parts, found);
    }

    /** Reads the storage of a table on one server; {@link #PLAIN} if there is none of this name. */
    public static TableStorage read(Connection connection, TableName table) throws SQLException {
        String columns = FORM
                + (ControlSql.isSince(connection, ACCESS_METHODS_SINCE, 0)
                        ? "coalesce((select quote_ident(amname) from pg_am a where a.oid = c.relam"
                                + " and amname <> 'heap'), '')"
                        : "''")
                + ", "
                + (ControlSql.isSince(connection, PARTITIONS_SINCE, 0)
                        ? "coalesce(pg_get_partkeydef(c.oid), '')"
                        : "''");
        Form own = ControlSql.first(
                        connection,
                        "select " + columns + " from pg_class c where c.oid = to_regclass(" + table.literal() + ")",
                        row -> Form.read(row, 1))
                .orElse(PLAIN.own());
        return own.partitioning().isEmpty()
                ? new TableStorage(own, List.of(), Distribution.NONE)
                : partitioned(connection, table, own, columns);
    }

    private static TableStorage partitioned(Connection connection, TableName table, Form own, String columns)
            throws SQLException {
        List<Long> ids = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        ControlSql.rows(
                connection,
                "with recursive part (id, parent, level) as (select inhrelid, 0::oid, 1 from pg_inherits"
                        + " where inhparent = to_regclass(" + table.literal() + ") union all"
                        + " select i.inhrelid, i.inhparent, level + 1 from pg_inherits i join part on i.inhparent = part.id)"
                        + " select part.id, part.parent, pg_get_expr(c.relpartbound, c.oid), " + columns
                        + " from part join pg_class c on c.oid = part.id"
                        + " order by level, pg_get_expr(c.relpartbound, c.oid), part.id",
                row -> {
                    ids.add(row.getLong(1));
                    return parts.add(new Part(ids.indexOf(row.getLong(2)), row.getString(3), Form.read(row, 4)));
                });
        return new TableStorage(own, parts, Distribution.NONE);
    }

    /** Whether the table or a partition is unlogged: a crash of its server empties it. */
    public boolean isUnlogged() {
        return own.isUnlogged() || parts.stream().anyMatch(part -> part.form().isUnlogged());
    }

    /**
     * Those of the tables that are unlogged, as a whole or in a partition, separated by commas; null if none is.
     *
     * @param tables as written in SQL
     */
    public static @Nullable String unlogged(Connection connection, List<String> tables) throws SQLException {
        if (tables.isEmpty()) {
            return null;
        }
        String ids = tables.stream()
                .map(table -> "to_regclass(" + Quoting.literal(table) + ")::oid")
                .collect(Collectors.joining(", "));
        return ControlSql.text(
                        connection,
                        "select string_agg(c.oid::regclass::text, ', ' order by c.oid) from pg_class c where c.oid in ("
                                + ids + ") and (c.relpersistence = 'u' or exists (select 1 from pg_inherits i"
                                + " join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid"
                                + " and p.relpersistence = 'u'))")
                .orElse(null);
    }

    /** The statement that creates a table with the columns and indexes of another, and this storage except its partitions. */
    String createLike(TableName copy, TableName table) {
        return own.verb() + copy.quoted() + " (like " + table.quoted() + " including all)" + own.clauses();
    }

    /** The statements that create the partitions of a table with this storage. */
    public List<String> createParts(TableName table) {
        List<String> statements = new ArrayList<>();
        for (int p = 0; p < parts.size(); p++) {
            Part part = parts.get(p);
            statements.add(part.form().verb() + name(table, p).quoted() + " partition of "
                    + (part.parent() < 0 ? table : name(table, part.parent())).quoted() + " " + part.bound()
                    + part.form().clauses());
        }
        return statements;
    }

    private static TableName name(TableName table, int part) {
        return new TableName(table.schema(), table.name() + "_" + (part + 1));
    }

    /** In what a table with this storage differs from its copy with another one, in words. */
    public List<String> differences(TableStorage copy) {
        List<String> found = new ArrayList<>();
        if (isUnlogged() != copy.isUnlogged()) {
            found.add(isUnlogged() ? "unlogged" : "logged");
        }
        add(found, "storage parameters", own.options(), copy.own.options());
        add(found, "tablespace", own.tablespace(), copy.own.tablespace());
        add(found, "access method", own.method(), copy.own.method());
        add(found, "partitioned by", own.partitioning(), copy.own.partitioning());
        add(found, "distribution", distribution.words(), copy.distribution.words());
        if (found.isEmpty() && !parts.equals(copy.parts)) {
            found.add("other partitions");
        }
        return found;
    }

    private static void add(List<String> found, String what, String here, String there) {
        if (!here.equals(there)) {
            found.add(here.isEmpty() ? "no " + what : what + " " + here);
        }
    }
}
