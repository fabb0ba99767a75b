package io.pgstress.target.dialect;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a kind of server shows the destination of a statement in EXPLAIN. Stateless and thread-safe. */
public interface Plans {
    /** Plans of a server that does not distribute. */
    Plans LOCAL = new Plans() {};

    /** Statements to run before EXPLAIN, in its transaction, to make its output complete. */
    default List<String> settings() {
        return List.of();
    }

    /** What precedes a statement, to show its plan; one or several lines of one column. */
    default String explain() {
        return "explain (verbose) ";
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

    /**
     * The part of a table that a plan touches.
     *
     * @param touched the number of shards or datanodes; empty if the plan does not show it
     * @param nodes their nodes; empty if it is the server itself, or the plan does not show them
     * @param scans the scans, such as {@code Index Scan} and {@code Seq Scan}, each once; empty: not shown
     */
    record Footprint(OptionalInt touched, List<String> nodes, List<String> scans) {}

    /**
     * The parts of a table.
     *
     * @param unit {@code table}, {@code shards}, {@code datanodes} or {@code segments}
     * @param units the number of parts, at least 1
     * @param nodes the nodes that hold them; empty: the server itself
     */
    record Layout(String unit, int units, List<String> nodes) {
        /** A table on a single server. */
        static final Layout LOCAL = new Layout("table", 1, List.of());
    }

    /** Finds things in the lines of an EXPLAIN. */
    final class PlanText {
        private static final Pattern SCAN = Pattern.compile(
                "\\b((?:Parallel )?(?:Index Only Scan|Index Scan|Bitmap Index Scan|Seq Scan|Tid Scan|Sample Scan))\\b");

        private PlanText() {}

        /** The kinds of table scans, each once, in the order of the plan. */
        static List<String> scans(List<String> plan) {
            return List.copyOf(new LinkedHashSet<>(all(plan, SCAN)));
        }

        /** The matches of the pattern's group, line by line. */
        static List<String> all(List<String> plan, Pattern pattern) {
            List<String> found = new ArrayList<>();
            for (String line : plan) {
                Matcher m = pattern.matcher(line);
                while (m.find()) {
                    found.add(m.group(1));
                }
            }
            return found;
        }

        /** Adds the names in a line, {@code dn1, dn2} or {@code dn1,dn2}, to a set. */
        static void names(String list, Set<String> into) {
            for (String name : list.split(",", -1)) {
                into.add(name.trim());
            }
        }

        /** A name, escaped for a regular expression of the server. */
        static String regex(String name) {
            return name.replaceAll("([^A-Za-z0-9_])", "\\\\$1");
        }
    }
}
