package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;
import io.pgstress.target.statement.SqlStatement;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/** One client's rows, spread evenly over shards that are drawn for each operation. Not thread-safe. */
final class ShardRows {
    private final ShardKeys keys;
    private final int hits;
    private final int[] ids;
    private final int[] shards;
    private final String[] texts;
    private final SplitMix random;

    /** @param hits number of shards to spread the rows over, at most {@code rows} */
    ShardRows(ShardKeys keys, int rows, int hits, int textBytes, SplitMix random) {
        this.keys = keys;
        this.hits = hits;
        this.ids = new int[rows];
        this.random = random;
        this.shards = new int[keys.shards()];
        for (int s = 0; s < shards.length; s++) {
            shards[s] = s;
        }
        byte[][] made = BulkRows.texts(textBytes, random);
        this.texts = new String[made.length];
        for (int t = 0; t < made.length; t++) {
            texts[t] = new String(made[t], StandardCharsets.US_ASCII);
        }
    }

    /** The first row of one of the drawn shards; for the number of shards, the end of the rows. */
    static int begin(int group, int rows, int hits) {
        return (int) ((long) group * rows / hits);
    }

    /** Draws shards, with the first steps of a Fisher-Yates shuffle, and the keys of their rows. */
    void draw() {
        for (int h = 0; h < hits; h++) {
            int other = h + random.below(shards.length - h);
            int shard = shards[other];
            shards[other] = shards[h];
            shards[h] = shard;
            for (int r = begin(h, ids.length, hits); r < begin(h + 1, ids.length, hits); r++) {
                ids[r] = keys.key(shard, random);
            }
        }
    }

    /** Binds a range of rows. */
    void bind(SqlStatement statement, int from, int to) throws SQLException {
        for (int r = from; r < to; r++) {
            statement.setInt(2 * (r - from) + 1, ids[r]);
            statement.setText(2 * (r - from) + 2, texts[r & (texts.length - 1)]);
        }
    }
}
