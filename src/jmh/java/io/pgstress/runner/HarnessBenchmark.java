package io.pgstress.runner;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.ThinkTime;
import io.pgstress.runner.Client.ClientRules;
import io.pgstress.target.loop.JdkThreads;
import io.pgstress.target.pool.ConnectionPool;
import io.pgstress.target.statement.ClientStatements;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A client's whole loop in closed loop around an operation of one statement that does nothing: draw, clock, acquire of a kept
 * connection, statement's and operation's recording, with the share of the hand-over to the histograms. {@link #clock} is
 * the clock's own calls, four an operation; what the harness costs is the difference. Not measured: driver, server, cold
 * caches, the starting of a client (spread over a million operations).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HarnessBenchmark {
    private static final int OPERATIONS = 1_000_000;

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public Object closedLoad() {
        Timeline timeline = new Timeline(
                IntervalGrid.of(1_000_000_000L), List.of(new OperationShape("nothing", List.of("select"))), 1);
        long now = System.nanoTime();
        timeline.start(now);
        timeline.measure(now, now + 3_600_000_000_000L);
        ClientRecorder recorder = new ClientRecorder(timeline, 0, 0);
        RunSignals signals = new RunSignals(
                timeline,
                NanoClock.SYSTEM,
                null,
                1,
                new Coordination.OneMachine(NanoClock.SYSTEM, (run, threads) -> List.of()),
                () -> {});
        signals.go().open();
        signals.exit().open();
        ClientSession session = new ClientSession(
                new NoConnections(),
                new ClientStatements(StatementMode.PREPARED, List.of(List.of()), 0, (o, s, nanos, rows, fetch) -> {}),
                false,
                recorder,
                new int[] {0},
                false,
                Map.of());
        new Client(
                        new Client.ClientGroup(
                                signals,
                                signals.go(),
                                new ClientRules(false, false, 3, false, false, new ThinkTime(Duration.ZERO, false)),
                                JdkThreads.platform()),
                        session,
                        recorder,
                        new ClientOperation[] {new Nothing(recorder)},
                        Client.Draws.of(1, 0, new int[] {1}))
                .run();
        return recorder;
    }

    @Benchmark
    public long clock() {
        return System.nanoTime() + System.nanoTime() + System.nanoTime() + System.nanoTime();
    }

    /** Records its one statement as sessions do. */
    private static final class Nothing implements ClientOperation {
        private final ClientRecorder recorder;
        private int left = OPERATIONS;

        Nothing(ClientRecorder recorder) {
            this.recorder = recorder;
        }

        @Override
        public boolean draw() {
            return left-- > 0;
        }

        @Override
        public Ending execute() {
            long start = System.nanoTime();
            recorder.statementEnded(0, 0, System.nanoTime() - start, 1, 0);
            return Ending.OK;
        }

        @Override
        public long rows() {
            return 1;
        }
    }

    /** Lends a connection that does nothing. */
    private static final class NoConnections implements ConnectionPool {
        @Override
        public Connection borrow() {
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> null);
        }

        @Override
        public boolean isKept() {
            return true;
        }

        @Override
        public void fill() {}

        @Override
        public Map<String, String> settings() {
            return Map.of();
        }

        @Override
        public Map<String, Number> gauges() {
            return Map.of();
        }

        @Override
        public void close() {}
    }
}
