package io.pgstress.operation.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.table.ShortRuns;
import io.pgstress.operation.workload.ShardInsert.ShardRows;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows for a given number of shards. */
@Slow
final class ShardInsertTest extends ShortRuns {

    @ParameterizedTest
    @ValueSource(strings = {"shard_insert", "shard_insert_grouped"})
    void localTableHasOneShard(String op) {
        RunResult run = run("--op " + op + " --rows 9 --row-bytes 100");

        OperationResult result = run.operations().get(op);
        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        assertThat(TestServer.number(url, "select count(*) from pgstress_" + op + " where length(filler) = 88"))
                .isEqualTo(result.statements().get("insert").callsInAll() * 9);
        run("--op " + op + " --rows 9 --row-bytes 24 --row-values server");
        assertThat(TestServer.number(url, "select count(*) from pgstress_" + op + " where filler = repeat('x', 12)"))
                .isPositive();
        assertThatThrownBy(() -> run("--op " + op + " --shards-hit 2"))
                .hasMessage(
                        "shards-hit: 2 shards cannot be hit: the table has 1, because this server does not distribute"
                                + " tables");
        assertThatThrownBy(() -> run("--op " + op + " --shards-hit 9 --rows 8"))
                .hasMessage("--shards-hit: is 9, but 8 rows (--rows) cannot be in that many shards");
    }

    @ParameterizedTest
    @CsvSource({"9, 1", "9, 2", "9, 9", "100, 7"})
    void rowsGoToTheRequestedNumberOfShards(int count, int hits) throws SQLException {
        // key i is in shard i % 32
        int[][] keys = ShardInsert.byShard(
                LongStream.rangeClosed(1, 5000).map(i -> 1000 + i % 32).toArray());
        ShardRows rows = new ShardRows(keys, count, hits, 10, new SplitMix(1, 1));
        Set<Integer> everHit = new HashSet<>();

        for (int turn = 0; turn < 500; turn++) {
            rows.draw();
            Set<Integer> whole = new HashSet<>();
            for (int group = 0; group < hits; group++) {
                Set<Integer> hit = new HashSet<>();
                rows.bind(
                        noting(hit),
                        ShardRows.begin(group, count, hits),
                        ShardRows.begin(group + 1, count, hits),
                        false);
                assertThat(hit).hasSize(1);
                whole.addAll(hit);
            }
            assertThat(whole).hasSize(hits);
            everHit.addAll(whole);
        }
        assertThat(everHit).hasSize(32);
    }

    @Test
    void groupsContainAllRows() {
        for (int hits = 1; hits <= 9; hits++) {
            assertThat(ShardRows.begin(0, 9, hits)).isZero();
            assertThat(ShardRows.begin(hits, 9, hits)).isEqualTo(9);
        }
    }

    /** A statement that records the shards of the bound ids. */
    private static SqlStatement noting(Set<Integer> shards) {
        return (SqlStatement) Proxy.newProxyInstance(
                SqlStatement.class.getClassLoader(), new Class<?>[] {SqlStatement.class}, (proxy, method, values) -> {
                    if (method.getName().equals("setInt")) {
                        shards.add((int) values[1] % 32);
                    }
                    return null;
                });
    }
}
