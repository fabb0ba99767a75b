package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Keys by the shard, or datanode, that the server says a row of theirs goes to. Immutable. */
final class ShardKeys {
    /** Before the server was asked. */
    static final ShardKeys NONE = new ShardKeys(new int[0][]);

    private final int[][] keys;

    private ShardKeys(int[][] keys) {
        this.keys = keys;
    }

    /** @param sql a query of keys, each with its shard */
    static ShardKeys read(Connection control, String sql) throws SQLException {
        Map<Long, List<Integer>> byShard = new TreeMap<>();
        try (Statement statement = control.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                byShard.computeIfAbsent(rows.getLong(2), s -> new ArrayList<>()).add(rows.getInt(1));
            }
        }
        return new ShardKeys(byShard.values().stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new));
    }

    int shards() {
        return keys.length;
    }

    /** Some key of the shard, by its number here. */
    int key(int shard, SplitMix random) {
        return keys[shard][random.below(keys[shard].length)];
    }
}
