package io.pgstress.target.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.plan.TableName;
import io.pgstress.testing.TestServer;
import org.junit.jupiter.api.Test;

/** A shard that moves to another worker of a Citus takes its rows with it, but not the server's count of its updates. */
final class MovedShardTest {
    private static final String MOVE = """
        select citus_move_shard_placement(shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'block_writes')
        from citus_shards s, pg_dist_node n
        where table_name = 'moved'::regclass and n.groupid <> 0 and n.nodeport <> s.nodeport limit 1
        """;

    @Test
    void countOfUpdatesBeginsAnew() {
        String url = System.getenv("PGSTRESS_TEST_CITUS_URL");
        assumeTrue(url != null, "PGSTRESS_TEST_CITUS_URL names no server");
        TestServer.execute(
                url,
                "drop table if exists moved",
                "create table moved (_id int primary key, data jsonb)",
                "select create_distributed_table('moved', '_id', shard_count => 4, colocate_with => 'none')",
                "insert into moved select i, '{}' from generate_series(1, 100) i");
        String counter =
                "select md5 from (" + new Citus().updateCounter(TableName.parse("moved")) + ") c (updates, md5)";
        try {
            String before = TestServer.text(url, counter);
            TestServer.execute(url, "update moved set data = '{}'");
            assertThat(TestServer.text(url, counter)).isEqualTo(before);
            TestServer.execute(url, MOVE);

            assertThat(TestServer.text(url, counter)).isNotEqualTo(before);
        } finally {
            TestServer.execute(url, "drop table moved");
        }
    }
}
