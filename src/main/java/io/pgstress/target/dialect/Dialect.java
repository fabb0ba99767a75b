package io.pgstress.target.dialect;

import io.pgstress.plan.StatementMode;
import io.pgstress.plan.TableName;
import io.pgstress.result.Remark;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.target.driver.Connector;
import io.pgstress.text.Rounded;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The differences between kinds of servers: their tables and plans, the nodes of a cluster, how transactions commit and what the
 * server shows of their writes, and the requirements and known problems of sessions. To add a kind, write a class that overrides
 * what differs from the defaults, and add a line to {@link Dialects}. Stateless and thread-safe.
 */
public interface Dialect {
    /** The name for {@code --target} and in results. */
    String name();

    /** Whether the server is of this kind. */
    boolean recognises(Connection connection) throws SQLException;

    /** How tables are created, and how their size is determined. */
    default Tables tables() {
        return Tables.LOCAL;
    }

    /** How the server shows the nodes and shards of a statement. */
    default Plans plans() {
        return Plans.LOCAL;
    }

    /**
     * A copy that creates tables with these options.
     *
     * @throws IllegalArgumentException if tables of this kind of server have no such options
     */
    default Dialect with(TableOptions options) {
        if (options.equals(TableOptions.DEFAULT)) {
            return this;
        }
        throw new IllegalArgumentException("tables of this server have no such options (it is " + name()
                + "): leave out --shards, --replication-factor and --with");
    }

    /** Whether servers of this kind are nodes of a cluster. */
    default boolean isCluster() {
        return false;
    }

    /** The cluster's nodes; empty if there is no cluster. */
    default List<CatalogNode> nodes(Connection connection) throws SQLException {
        return List.of();
    }

    /** The names of the nodes by the numbers that the queried node's messages give instead; empty if messages give names or addresses. */
    default Map<String, String> nodeNames(Connection connection) throws SQLException {
        return Map.of();
    }

    /** How sessions of the nodes are matched with the clients' sessions that they work for; null if they cannot be. */
    default @Nullable SessionNumbers sessionNumbers() {
        return null;
    }

    /** Whether a session that takes clients' statements has a wait event while it waits for another node; otherwise it looks busy. */
    default boolean showsWaitsForNodes() {
        return true;
    }

    /** Startup options without which the nodes that take no clients' statements refuse control connections. */
    default Map<String, String> nodeOptions(Connection connection) throws SQLException {
        return Map.of();
    }

    /** What to check if no node answers; empty if there is nothing in particular. */
    default String silentTogether() {
        return "";
    }

    /** Whether only the first node accepts definitions of tables and indexes. */
    default boolean definesThroughFirstOnly() {
        return false;
    }

    /**
     * Whether a transaction commits in one place and one log, so that a crash loses the last ones as a whole or not at all, and
     * every later commit that is waited for saves the earlier ones too.
     */
    default boolean commitsInOnePlace() {
        return false;
    }

    /**
     * Whether a transaction that changes rows on several nodes or in several shards commits in two phases.
     *
     * @param load a session like those of the clients
     */
    default boolean commitsInTwoPhases(Connection load) throws SQLException {
        return true;
    }

    /** Whether a part of a transaction can be rolled back. */
    default boolean hasSavepoints() {
        return true;
    }

    /** An expression whose text changes when a server restarts its statistics: by a start, a reset, or the recovery from a crash. */
    String STATISTICS_SINCE = "concat_ws(' ', pg_postmaster_start_time(), (select pg_stat_get_db_stat_reset_time(oid)"
            + " from pg_database where datname = current_database()), pg_stat_get_bgwriter_stat_reset_time())";

    /**
     * A query that returns the number of updated rows of a table so far, and a text that changes whenever the count restarts.
     * It returns no row, or null, if the table has no count. Null if the server does not count.
     */
    default @Nullable String updateCounter(TableName table) {
        return null;
    }

    /** The condition that selects the rows of a table written after this moment; empty if its rows do not show it. */
    default String newerThanNow(Connection connection, TableName table) throws SQLException {
        return "";
    }

    /** Transactions of this database that were prepared and neither committed nor rolled back: they hold their locks. */
    default List<PreparedTransaction> prepared(Connection connection) throws SQLException {
        return CatalogQueries.prepared(connection, "", PreparedTransaction.QUERY);
    }

    /** How to end them. */
    default String endOfPrepared() {
        return "commit prepared '...' or rollback prepared '...', once their owner is known to be gone";
    }

    /** Whether the servers themselves prepared it, to commit a transaction of several nodes in two phases. */
    default boolean isOfServers(PreparedTransaction transaction) {
        return false;
    }

    /** The connector for servers of this kind. */
    default Connector connector(Connector found) {
        return found.forCluster();
    }

    /** A query of protocol and cipher of the session that asks; its result is null, or it has no row, without TLS. */
    default String tls() {
        return "select version || ', ' || cipher from pg_stat_ssl where pid = pg_backend_pid() and ssl";
    }

    /** Why prepared statements would not find tables through the search path of this client session; empty if they would. */
    default String losesSearchPath(Connection load) throws SQLException {
        return "";
    }

    /**
     * Known problems of this kind of server under a load with inserts, one line each, to be reported before the load.
     *
     * @param load a session like those of the clients
     * @param isTransaction whether an operation's statements are one transaction
     */
    default List<Remark> hazards(Connection load, StatementMode mode, boolean isTransaction) throws SQLException {
        return List.of();
    }

    /**
     * Known problems of this kind of server under a load with updates or deletes, one line each, to be reported before the load.
     *
     * @param load a session like those of the clients
     */
    default List<Remark> changeHazards(Connection load) throws SQLException {
        return List.of();
    }

    /**
     * Known problems of this kind of server under a load with updates, one line each, to be reported before the load.
     *
     * @param load a session like those of the clients
     * @param coordinators number of servers that the clients connect to
     */
    default List<Remark> updateHazards(Connection load, int coordinators) throws SQLException {
        return List.of();
    }

    /**
     * A node of a cluster as listed in the coordinator's catalog, which does not say whether it answers.
     *
     * @param name its name in the cluster
     * @param role its role: coordinator, worker or datanode
     * @param host its address for the other nodes
     * @param coordinates whether it accepts clients' statements
     * @param holdsData whether it has rows of distributed tables
     * @param isAsked whether it is the queried node; clients may use another address for it than the nodes do
     */
    record CatalogNode(
            String name, String role, String host, int port, boolean coordinates, boolean holdsData, boolean isAsked) {}

    /**
     * How sessions of a cluster are numbered: that of a client's has the same number as those of other nodes that work for it.
     *
     * @param offset a query of the difference between the number of a session of the queried node and that of its process; null: the number
     *     is that of the session's transaction
     * @param number an expression for a row of {@code pg_stat_activity}: the number of the session that it works for, and without an offset
     *     also that of a client's session; null if it has none
     * @param works a condition for a row of {@code pg_stat_activity}: it works for a session of another node
     * @param waits the types of events for which an active session waits while it waits for another node
     */
    record SessionNumbers(@Nullable String offset, String number, String works, Set<String> waits) {}

    /**
     * A row of {@code pg_prepared_xacts}.
     *
     * @param node the node that has it; empty if there is only one
     * @param gid its name
     * @param since the time when it was prepared
     */
    record PreparedTransaction(String node, String gid, String since) {
        static final String QUERY = "select gid, prepared::timestamp(0)::text from pg_prepared_xacts"
                + " where database = current_database() order by prepared";

        /** One line about these transactions: their number, the first one, and what to do. */
        public static String words(List<PreparedTransaction> all, String end) {
            PreparedTransaction first = all.get(0);
            return Rounded.format(
                    "%,d prepared transactions hold locks (pg_prepared_xacts), such as '%s'%s since %s: end them by %s",
                    all.size(), first.gid(), first.node().isEmpty() ? "" : " on " + first.node(), first.since(), end);
        }
    }
}
