package io.pgstress.target.dialect;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;

/** How a kind of server shows the destination of a statement in EXPLAIN (VERBOSE). Stateless and thread-safe. */
public interface Plans {
    /** Plans of a server that does not distribute. */
    Plans LOCAL = new Plans() {};

    /** Statements to run before EXPLAIN, in its transaction, to make its output complete. */
    default List<String> settings() {
        return List.of();
    }

    /** The parts of the table. */
    default Layout layout(Connection connection, TableName table) throws SQLException {
        return Layout.LOCAL;
    }

    /** Reads the lines of a plan. */
    default Footprint read(List<String> plan) {
        return new Footprint(OptionalInt.of(1), List.of(), PlanText.scans(plan));
    }

    /**
     * The condition on {@code pg_stat_statements.query} that selects a data node's statements on a table, and on tables whose names
     * begin with its name; empty if there are no data nodes.
     */
    default String onNodes(TableName table) {
        return "";
    }

    /**
     * The condition that selects transactions with one more statement each, which the server does not record with its text;
     * empty if it records all of them.
     */
    default String uncounted() {
        return "";
    }

    /** Whether a statement with this plan is one of those. */
    default boolean comesWithoutText(List<String> plan) {
        return false;
    }
}
