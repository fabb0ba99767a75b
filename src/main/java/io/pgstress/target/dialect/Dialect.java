package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.Connector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What differs from one kind of server to another. Stateless and thread-safe. */
public interface Dialect {
    /** The name of {@code --target} and in results. */
    String name();

    /** Whether the server is of this kind. */
    boolean recognises(Connection connection) throws SQLException;

    /** The statements that create a table {@code (_id primary key, data jsonb)}, distributed where the server distributes. */
    List<String> createTable(TableName table, KeyType key);

    /** The statements that create a table of the same structure, and distribution, as another. */
    List<String> createLike(TableName copy, TableName table, KeyType key);

    /** A query of one number: the bytes of the table's indexes, over all nodes. */
    default String indexBytes(TableName table) {
        return "select pg_indexes_size(" + Catalog.literal(table.quoted()) + ")";
    }

    /** A query of one number: the bytes of the table's rows, without what is stored beside them, over all nodes. */
    default String heapBytes(TableName table) {
        return "select pg_relation_size(" + Catalog.literal(table.quoted()) + ")";
    }

    /**
     * The shard or node that a row of each of the keys 1 to {@code most} goes to, in their order.
     *
     * @param table distributed by {@code column}, a whole number; its own rows are neither read nor changed
     */
    default long[] partsOfKeys(Connection connection, TableName table, String column, int most) throws SQLException {
        return new long[most];
    }

    /** What of the table is on each node; empty where the server is the only one or does not tell. */
    default List<NodeBytes> bytesByNode(Connection connection, TableName table) throws SQLException {
        return List.of();
    }

    /**
     * The statements that create a table of any columns.
     *
     * @param create the whole statement, as PostgreSQL has it
     * @param column by which it is distributed, where the server distributes
     * @param shards how many parts it has where that is chosen at creation; 0: as the server has it
     */
    default List<String> createDistributed(String create, TableName table, String column, int shards) {
        return List.of(create);
    }

    /** A query of one number: the bytes of the table with its indexes, over all nodes. */
    String totalBytes(TableName table);

    /**
     * The same dialect, making tables so.
     *
     * @throws IllegalArgumentException where tables of this kind of server have no such options
     */
    default Dialect with(TableOptions options) {
        if (options.equals(TableOptions.DEFAULT)) {
            return this;
        }
        throw new IllegalArgumentException(
                "shards and their replicas belong to tables of Citus, and this is " + name());
    }

    /** How tables are made. */
    default TableOptions tableOptions() {
        return TableOptions.DEFAULT;
    }

    /** The cluster's servers; empty where the server is the only one. */
    default List<ClusterNode> nodes(Connection connection) throws SQLException {
        return List.of();
    }

    /** What to look at where all servers of a cluster are silent at once; an empty string: nothing in particular. */
    default String silentTogether() {
        return "";
    }

    /** How it tells where a statement goes. */
    default Plans plans() {
        return Plans.LOCAL;
    }

    /**
     * Whether a transaction commits in one place and one log, so that a crash loses the last ones as a whole or not at all, and
     * every later commit that is waited for saves the earlier ones too.
     */
    default boolean commitsInOnePlace() {
        return false;
    }

    /** The connector for servers of this kind. */
    default Connector connector(Connector found) {
        return commitsInOnePlace() ? found : found.forCluster();
    }

    /**
     * Why prepared statements would not find tables by the search path that was said to this session of the load; an empty
     * string: they would.
     */
    default String losesSearchPath(Connection load) throws SQLException {
        return "";
    }

    /** Whether of a cluster's servers only the first takes definitions of tables and indexes. */
    default boolean definesThroughFirstOnly() {
        return false;
    }

    /** Whether this error is a duplicate key. */
    default boolean isDuplicateKey(SQLException e) {
        return "23505".equals(e.getSQLState());
    }
}
