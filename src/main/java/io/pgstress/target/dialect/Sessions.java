package io.pgstress.target.dialect;

import io.pgstress.plan.StatementMode;
import io.pgstress.result.Remark;
import io.pgstress.target.driver.Connector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The requirements and known problems of sessions. The defaults are those of a cluster. Stateless and thread-safe. */
public interface Sessions {
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
}
