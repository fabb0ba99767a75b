package io.pgstress.runner;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation.ClientSeat;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.target.Target;
import io.pgstress.target.pool.ConnectionPool;
import io.pgstress.target.pool.Pools;
import io.pgstress.target.statement.ClientStatements;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
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
 * One {@code find_first} by one client against the embedded server, in each statement mode, behind each pool. Measured: driver, server
 * and loopback together. Not measured: many clients; the borrowing alone, which is {@link BorrowBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FindFirstBenchmark {
    @Param({"PLAIN", "EXTENDED", "PREPARED"})
    private StatementMode mode;

    @Param({"none", "hikari", "c3p0"})
    private String poolName;

    /** The built-in one, and the same as a user would write it. */
    @Param({"find_first", "own"})
    private String operationName;

    private ConnectionPool pool;
    private ClientStatements session;
    private ClientOperation operation;

    @Setup(Level.Trial)
    public void setup() throws SQLException, IOException {
        String url = TestServer.freshDatabase("jmh");
        TestServer.table(url, "docs", 10_000);
        Path own = Files.createTempFile("own", ".yaml");
        Files.writeString(own, """
                own:
                  parameters: {id: {id: any}}
                  steps: [{name: select, sql: "select _id, data from ${table} where _id = :id"}]
                """);
        RunSpec spec = Runs.spec("-t docs -M %s --pool %s --op %s --operations %s --url %s"
                .formatted(mode.label(), poolName, operationName, own, url));
        Files.delete(own);
        Target target = Target.open(spec);
        RunOperations operations =
                new RunOperations(spec, target, Runs.table(spec, target), HostShare.whole(1), text -> {});
        operations.setUp();
        pool = Pools.open(spec.pool(), 1, target.first().connector());
        pool.fill();
        session = new ClientStatements(mode, operations.statements(0), 0, (o, s, nanos, rows, fetch) -> {});
        operation = operations.all().get(0).forClient(new ClientSeat(0, session, 0, 1, 1));
        if (pool.isKept()) {
            session.attach(pool.borrow());
        }
    }

    @TearDown
    public void close() {
        pool.close();
    }

    @Benchmark
    public Object findFirst() throws SQLException {
        operation.draw();
        if (pool.isKept()) {
            return operation.execute();
        }
        try (Connection connection = pool.borrow()) {
            session.attach(connection);
            Object ending = operation.execute();
            session.detach();
            return ending;
        }
    }
}
