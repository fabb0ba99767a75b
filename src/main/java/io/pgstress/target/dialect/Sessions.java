package io.pgstress.target.dialect;

import io.pgstress.plan.StatementMode;
import io.pgstress.target.driver.Connector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What sessions need, and what goes wrong in them. The defaults are those of a cluster. Stateless and thread-safe. */
public interface Sessions {
    /** Those of a cluster without known hazards. */
    Sessions OF_CLUSTER = new Sessions() {};

    /** The connector for servers of this kind. */
    default Connector connector(Connector found) {
        return found.forCluster();
    }

    /**
     * Why prepared statements would not find tables by the search path of this client session; empty: they would.
     */
    default String losesSearchPath(Connection load) throws SQLException {
        return "";
    }

    /**
     * Known problems of this kind of server under a load that inserts, to be reported before it begins: one line each.
     *
     * @param load a session as the clients will have it
     * @param isTransaction whether an operation's statements are one transaction
     */
    default List<String> hazards(Connection load, StatementMode mode, boolean isTransaction) throws SQLException {
        return List.of();
    }
}
