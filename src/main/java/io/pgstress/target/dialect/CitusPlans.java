package io.pgstress.target.dialect;

import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Citus: {@code Task Count} is the number of shards that a statement goes to; each task names its node. */
final class CitusPlans implements Plans {
    private static final Pattern TASKS = Pattern.compile("^\\s*Task Count: (\\d+)");
    private static final Pattern NODE = Pattern.compile("^\\s*Node: host=(\\S+ port=\\d+)");
    private static final String SHARDS = "select count(*) from pg_dist_shard where logicalrelid = %s::regclass";
    private static final String PLACES = """
        select distinct nodename || ':' || nodeport from pg_dist_shard join pg_dist_placement using (shardid)
        join pg_dist_node using (groupid) where noderole = 'primary' and logicalrelid = %s::regclass order by 1
        """;

    @Override
    public List<String> settings() {
        return List.of("set local citus.explain_all_tasks = on");
    }

    @Override
    public Layout layout(Connection connection, TableName table) throws SQLException {
        String name = Quoting.literal(table.quoted());
        int shards = Integer.parseInt(
                CatalogQueries.texts(connection, SHARDS.replace("%s", name)).get(0));
        return shards == 0
                ? Layout.LOCAL
                : new Layout("shards", shards, CatalogQueries.texts(connection, PLACES.replace("%s", name)));
    }

    @Override
    public Footprint read(List<String> plan) {
        List<String> counts = PlanText.all(plan, TASKS);
        if (counts.isEmpty()) {
            return Plans.LOCAL.read(plan);
        }
        List<String> nodes = new ArrayList<>();
        PlanText.all(plan, NODE).forEach(n -> nodes.add(n.replace(" port=", ":")));
        int tasks = counts.stream().mapToInt(Integer::parseInt).sum();
        return new Footprint(OptionalInt.of(tasks), List.copyOf(new LinkedHashSet<>(nodes)), PlanText.scans(plan));
    }

    /** The name of a shard is the table's name and a number. An INSERT with a SELECT is the reset of the copy table. */
    @Override
    public String onNodes(TableName table) {
        return "query ~ " + Quoting.literal(PlanText.regex(table.name()) + "[A-Za-z0-9_]*_[0-9]{5,}")
                + " and query ~* '^ *(explain|select|insert|update|delete|merge|with)' and query !~* '^ *insert.*"
                + " select '";
    }
}
