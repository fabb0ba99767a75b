package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.Connector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    default List<CatalogNode> nodes(Connection connection) throws SQLException {
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

    /**
     * A query of the number of rows of a table that were updated so far, and of a text that changes when that is counted
     * anew; no row, or null: it is not counted. Null: this server does not tell.
     */
    default @Nullable String updateCounter(TableName table) {
        return null;
    }

    /** Whether the {@code xmin} of a row can be compared with {@code txid_current()}, on whichever node the row is. */
    default boolean showsRowTransactions() {
        return false;
    }

    /**
     * What is known to go wrong on this kind of server under a load that inserts, before it begins: one line each.
     *
     * @param load a session as the clients will have it
     * @param isTransaction whether an operation's statements are one transaction
     */
    default List<String> hazards(Connection load, StatementMode mode, boolean isTransaction) throws SQLException {
        return List.of();
    }

    /** Transactions of this database that were prepared and neither committed nor rolled back: they hold their locks. */
    default List<PreparedTransaction> preparedTransactions(Connection connection) throws SQLException {
        return Catalog.prepared(connection, "", PreparedTransaction.QUERY);
    }

    /** How those are ended. */
    default String endOfPrepared() {
        return "commit prepared '...' or rollback prepared '...', once their owner is known to be gone";
    }

    /** Those among them that a load itself left behind, as the servers commit by themselves in two phases. */
    default List<PreparedTransaction> leftBehind(Connection connection) throws SQLException {
        return List.of();
    }

    /** Whether this error is a duplicate key. */
    default boolean isDuplicateKey(SQLException e) {
        return "23505".equals(e.getSQLState());
    }
}
