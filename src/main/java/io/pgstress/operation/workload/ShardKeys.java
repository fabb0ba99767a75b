package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Keys by shard, or datanode, as reported by the server. Immutable. */
final class ShardKeys {
    /** No keys, before the server has been asked. */
    static final ShardKeys NONE = new ShardKeys(new int[0][]);

    private final int[][] keys;

    private ShardKeys(int[][] keys) {
        this.keys = keys;
    }

    /** @param shards the shard of each key, for keys from 1 */
    static ShardKeys of(long[] shards) {
        Map<Long, List<Integer>> byShard = new TreeMap<>();
        for (int key = 1; key <= shards.length; key++) {
            byShard.computeIfAbsent(shards[key - 1], s -> new ArrayList<>()).add(key);
        }
        return new ShardKeys(byShard.values().stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new));
    }

    int shards() {
        return keys.length;
    }

    /** A random key of the shard, by its number here. */
    int key(int shard, SplitMix random) {
        return keys[shard][random.below(keys[shard].length)];
    }
}
