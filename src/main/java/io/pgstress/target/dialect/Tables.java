package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * How tables are created, and how their size is determined. The defaults are those of a server that does not distribute tables.
 * Stateless and thread-safe.
 */
public interface Tables {
    /** Tables of a single PostgreSQL server. */
    Tables LOCAL = new Tables() {};

    /**
     * The statements that create a table {@code (_id, data jsonb)}, distributed if the server distributes tables.
     *
     * @param primaryKey whether {@code _id} is the primary key from the start
     */
    default List<String> create(TableName table, KeyType key, boolean primaryKey) {
        return List.of("create table " + table.quoted() + " (_id " + key.ddl() + (primaryKey ? " primary key" : "")
                + ", data jsonb not null default '{}')");
    }

    /** How a table is stored and distributed; {@link TableStorage#PLAIN} if there is none of this name. */
    default TableStorage storage(Connection connection, TableName table) throws SQLException {
        return TableStorage.read(connection, table);
    }

    /**
     * The statements that create a table of the same structure and distribution as another.
     *
     * @param storage that of the other table
     */
    default List<String> createLike(TableName copy, TableName table, TableStorage storage) {
        List<String> statements = new ArrayList<>(List.of(storage.createLike(copy, table)));
        statements.addAll(storage.createParts(copy));
        return statements;
    }

    /**
     * The statements that create a table of any columns.
     *
     * @param create the complete statement for PostgreSQL
     * @param column the distribution column, if the server distributes tables
     * @param shards the number of shards, if it is chosen at creation; 0: the server's default
     */
    default List<String> createDistributed(String create, TableName table, String column, int shards) {
        return List.of(create);
    }

    /** The options that new tables are created with. */
    default TableOptions options() {
        return TableOptions.DEFAULT;
    }

    /** Whether the number of a table's shards is chosen when the table is created. */
    default boolean haveShards() {
        return false;
    }

    /** A query of one number: the bytes of the table with its indexes, over all nodes and partitions. */
    default String totalBytes(TableName table) {
        return "with recursive part(id) as (select " + table.literal() + "::regclass::oid union all select i.inhrelid"
                + " from pg_inherits i join part on i.inhparent"
                + " = part.id) select"
                + " sum(pg_total_relation_size(id)) from part";
    }

    /** A query of one number: the bytes of the table's indexes, over all nodes. */
    default String indexBytes(TableName table) {
        return "select pg_indexes_size(" + table.literal() + ")";
    }

    /** The bytes of one of the table's indexes, over all nodes; 0 if they are unknown. */
    default long bytesOfIndex(Connection connection, TableName table, String index) throws SQLException {
        return CatalogQueries.sum(
                connection, "select pg_relation_size(" + new TableName(table.schema(), index).literal() + ")");
    }

    /** Whether the server distributes the tables by {@code _id}, so that a unique index must contain it. */
    default boolean distributesByKey() {
        return false;
    }

    /** Whether new tables can have unique indexes, and so a primary key. */
    default boolean haveKeys() {
        return true;
    }

    /** The statement that makes {@code _id} the primary key, or indexes it where tables cannot have keys. */
    default String addKey(TableName table) {
        return haveKeys()
                ? "alter table " + table.quoted() + " add primary key (_id)"
                : "create index on " + table.quoted() + " (_id)";
    }

    /** A query of one number: the bytes of the table's rows without TOAST, over all nodes. */
    default String heapBytes(TableName table) {
        return "select pg_relation_size(" + table.literal() + ")";
    }

    /** The part of the table on each node; empty if the server is the only one or does not report it. */
    default List<NodeBytes> bytesByNode(Connection connection, TableName table) throws SQLException {
        return List.of();
    }

    /**
     * The shard or node of a row with each of the keys 1 to {@code count}, in the order of the keys.
     *
     * @param table distributed by {@code column}, a whole number; its own rows are neither read nor changed
     */
    default long[] partsOfKeys(Connection connection, TableName table, String column, int count) throws SQLException {
        return new long[count];
    }

    /**
     * The size of a table's part on one node, in bytes.
     *
     * @param table everything except indexes, as by {@code pg_table_size}
     * @param indexes its indexes
     */
    record NodeBytes(String node, long table, long indexes) {}

    /**
     * How a new table is distributed and stored.
     *
     * @param shards the number of shards; 0: the server's default
     * @param replicationFactor the number of nodes that hold each shard; 0: the server's default
     * @param storage the parameters in {@code WITH (...)}; empty: none
     */
    record TableOptions(int shards, int replicationFactor, String storage) {
        /** The server's defaults. */
        public static final TableOptions DEFAULT = new TableOptions(0, 0, "");
    }
}
