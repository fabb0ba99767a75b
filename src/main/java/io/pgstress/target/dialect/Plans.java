package io.pgstress.target.dialect;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;

/** How a kind of server tells, by EXPLAIN (VERBOSE), where a statement goes. Stateless and thread-safe. */
public interface Plans {
    /** Those of a server that does not distribute. */
    Plans LOCAL = new Plans() {};

    /** What is set, within the transaction of an EXPLAIN, so that it tells all. */
    default List<String> settings() {
        return List.of();
    }

    /** What the table consists of. */
    default Layout layout(Connection connection, TableName table) throws SQLException {
        return Layout.LOCAL;
    }

    /** Reads the lines of a plan. */
    default Footprint read(List<String> plan) {
        return new Footprint(OptionalInt.of(1), List.of(), PlanText.scans(plan));
    }

    /**
     * The condition on {@code pg_stat_statements.query} by which a data node's statements on a table, and on others of its
     * name with something behind, are known; an empty string where there are no data nodes.
     */
    default String onNodes(TableName table) {
        return "";
    }

    /**
     * The condition by which transactions are known that each brought one more statement, which the server does not count
     * by its text; an empty string where all are.
     */
    default String uncounted() {
        return "";
    }

    /** Whether a statement of this plan is one of those. */
    default boolean comesWithoutText(List<String> plan) {
        return false;
    }
}
