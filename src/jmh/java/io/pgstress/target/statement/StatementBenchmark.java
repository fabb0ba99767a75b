package io.pgstress.target.statement;

import io.pgstress.plan.StatementMode;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
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
 * What a statement costs in the driver and in this package, in each statement mode: a {@link MemoryServer} answers. Its own work
 * is part of the figures. Not measured: the network, the server, other clients, and the switch between
 * them. Memory per statement: {@code -prof gc}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(2)
public class StatementBenchmark {
    private static final int BULK_ROWS = 100;
    private static final List<Sql> STATEMENTS = List.of(
            new Sql("document", "select _id, data from \"bench_point\" where _id = ?"),
            new Sql("update", "update pgbench_accounts set abalance = abalance + ? where aid = ?"),
            new Sql("begin", "begin"),
            new Sql("commit", "commit"),
            new Sql(
                    "bulk",
                    "insert into pgstress_bulk_insert_1 (id, filler) values "
                            + String.join(", ", Collections.nCopies(BULK_ROWS, "(?, ?)"))));

    /** How statements are sent; {@code SIMPLE} is {@code PLAIN} with the query mode {@code simple}. */
    @Param({"SIMPLE", "PLAIN", "EXTENDED", "PREPARED"})
    private String mode;

    private final String text = "x".repeat(344);
    private Connection connection;
    private ClientStatements session;
    private SqlStatement[] statements;
    private int id;
    private long recorded;

    @Setup(Level.Trial)
    public void open() throws SQLException {
        StatementMode of = mode.equals("SIMPLE") ? StatementMode.PLAIN : StatementMode.valueOf(mode);
        Properties p = new Properties();
        p.setProperty("user", "jmh");
        p.setProperty("socketFactory", MemoryServer.class.getName());
        p.setProperty("sslmode", "disable");
        p.setProperty("gssEncMode", "disable");
        p.setProperty("assumeMinServerVersion", "9.4");
        p.setProperty("maxSendBufferSize", "65536");
        p.setProperty("reWriteBatchedInserts", "true");
        p.setProperty("preferQueryMode", mode.equals("SIMPLE") ? "simple" : "extended");
        p.setProperty("prepareThreshold", of == StatementMode.PREPARED ? "1" : "0");
        connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:1/jmh", p);
        session = new ClientStatements(
                of, List.of(STATEMENTS), 0, (o, s, nanos, rows, fetch) -> recorded += nanos + fetch);
        session.attach(connection);
        statements = new SqlStatement[STATEMENTS.size()];
        for (int s = 0; s < statements.length; s++) {
            statements[s] = session.statement(0, s);
        }
    }

    @TearDown(Level.Trial)
    public void close() throws SQLException {
        session.detach();
    }

    @Benchmark
    public long document() throws SQLException {
        statements[0].setInt(1, ++id);
        return statements[0].query(RowReader.ID_AND_DATA);
    }

    @Benchmark
    public long update() throws SQLException {
        statements[1].setInt(1, 17);
        statements[1].setInt(2, ++id);
        return statements[1].update();
    }

    /** BEGIN and COMMIT. */
    @Benchmark
    public long emptyTransaction() throws SQLException {
        return statements[2].update() + statements[3].update();
    }

    @Benchmark
    public long bulk() throws SQLException {
        for (int row = 0; row < BULK_ROWS; row++) {
            statements[4].setLong(2 * row + 1, ++id);
            statements[4].setText(2 * row + 2, text);
        }
        return statements[4].update();
    }
}
