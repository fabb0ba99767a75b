package io.pgstress.target.dialect;

import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Plans of Postgres-XL. That of a statement shipped as a whole names its nodes, or the expression that selects one at run time.
 * A plan of the coordinator names the nodes of each part. With a bind parameter, the work of a datanode is not shown.
 */
final class XlPlans implements Plans {
    private static final Pattern SHIPPED = Pattern.compile("^\\s*Node/s: (.+)$");
    private static final Pattern BY_EXPRESSION = Pattern.compile("^\\s*Node expr: (.+)$");
    private static final Pattern PLANNED = Pattern.compile("Remote Subquery Scan on \\w+ \\(([^)]+)\\)");

    @Override
    public Layout layout(Connection connection, TableName table) throws SQLException {
        List<String> nodes = CatalogQueries.texts(
                connection,
                "select node_name from pgxc_node, pgxc_class where pcrelid = " + Quoting.literal(table.quoted())
                        + "::regclass and pgxc_node.oid = any (nodeoids) order by 1");
        return nodes.isEmpty() ? Layout.LOCAL : new Layout("datanodes", nodes.size(), nodes);
    }

    @Override
    public Footprint read(List<String> plan) {
        Set<String> nodes = new LinkedHashSet<>();
        PlanText.all(plan, SHIPPED).forEach(list -> PlanText.names(list, nodes));
        PlanText.all(plan, PLANNED).forEach(list -> PlanText.names(list, nodes));
        boolean byExpression = !PlanText.all(plan, BY_EXPRESSION).isEmpty();
        int touched = byExpression ? Math.max(1, nodes.size()) : nodes.size();
        return new Footprint(
                touched == 0 ? OptionalInt.empty() : OptionalInt.of(touched), List.copyOf(nodes), PlanText.scans(plan));
    }

    @Override
    public String onNodes(TableName table) {
        return "query ~ " + Quoting.literal(PlanText.regex(table.name()))
                + " and query ~* '^ *(explain|select|insert|update|delete|with)' and query !~* '^ *insert.* select '";
    }

    /** A coordinator's own plan runs on a datanode without a query text: only its transaction is counted. */
    @Override
    public String uncounted() {
        return "query = 'BEGIN'";
    }

    @Override
    public boolean comesWithoutText(List<String> plan) {
        return !PlanText.all(plan, PLANNED).isEmpty();
    }
}
