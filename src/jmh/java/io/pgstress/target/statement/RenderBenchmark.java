package io.pgstress.target.statement;

import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import io.pgstress.text.SqlText;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a plain statement costs before it is sent: its text with an int and a string as literals, made anew for each
 * operation; and the cutting at its parameters, done once a client. Not measured: sending anything.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RenderBenchmark {
    private String sql = "select _id, data from \"check_in\" where _id = ? and data ->> 'a?b' = ?";
    private PlainStatement statement;
    private Connection connection;
    private int id;

    /** A connection tells how literals are to be escaped. */
    @Setup(Level.Trial)
    public void attach() throws SQLException {
        connection = TestServer.connector(TestServer.maintenanceUrl()).open(SessionPurpose.CONTROL);
        statement = new PlainStatement(
                new Sql("select", sql), new JdbcStatement.Slot(0, 0, 0, (operation, number, nanos, rows, fetch) -> {}));
        statement.attach(connection);
    }

    @TearDown(Level.Trial)
    public void detach() throws SQLException {
        statement.detach();
        connection.close();
    }

    @Benchmark
    public String render() throws SQLException {
        statement.setInt(1, ++id);
        statement.setText(2, "O'Brien");
        return statement.text();
    }

    @Benchmark
    public String[] split() {
        return SqlText.split(sql);
    }
}
