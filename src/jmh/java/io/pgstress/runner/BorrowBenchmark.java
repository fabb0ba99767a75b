package io.pgstress.runner;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.PoolSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.target.pool.ConnectionPool;
import io.pgstress.target.pool.Pools;
import io.pgstress.target.statement.ClientStatements;
import io.pgstress.testing.TestServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a client does around each operation to have a connection and to give it back: a borrow from the pool, or with {@code none} a look
 * at the one that it keeps. Measured: one client alone, whose connection is always free. Not measured: waiting for others,
 * the preparing of statements on a connection that did not have them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BorrowBenchmark {
    @Param({"none", "hikari", "c3p0"})
    private String poolName;

    private ConnectionPool pool;
    private ClientSession client;

    @Setup(Level.Trial)
    public void setup() throws SQLException {
        pool = Pools.open(new PoolSpec(poolName, 0), 1, TestServer.connector(TestServer.maintenanceUrl()));
        pool.fill();
        ClientStatements session =
                new ClientStatements(StatementMode.PREPARED, List.of(), 0, (o, s, nanos, rows, fetch) -> {});
        Timeline timeline =
                new Timeline(IntervalGrid.of(1_000_000_000), List.of(new OperationShape("op", List.of("s"))), 1);
        client = new ClientSession(
                pool, session, false, new ClientRecorder(timeline, 0, 0), new int[1], false, Map.of());
        client.connect();
    }

    @TearDown
    public void close() {
        client.close();
        pool.close();
    }

    @Benchmark
    public long borrow() throws SQLException {
        long waited = client.acquire();
        client.release();
        return waited;
    }
}
