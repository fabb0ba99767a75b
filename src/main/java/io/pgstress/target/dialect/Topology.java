package io.pgstress.target.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The nodes of a cluster. The defaults are those of a server without a cluster. Stateless and thread-safe. */
public interface Topology {
    /** A server without a cluster. */
    Topology SINGLE = new Topology() {};

    /** The cluster's nodes; empty if there is no cluster. */
    default List<CatalogNode> nodes(Connection connection) throws SQLException {
        return List.of();
    }

    /** What to check if no node answers; empty if there is nothing in particular. */
    default String silentTogether() {
        return "";
    }

    /** Whether only the first node accepts definitions of tables and indexes. */
    default boolean definesThroughFirstOnly() {
        return false;
    }
}
