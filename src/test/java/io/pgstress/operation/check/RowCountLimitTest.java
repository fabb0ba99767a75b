package io.pgstress.operation.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.Writes;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rows of a shared table cannot be counted before the load, because another session has locked the table. */
@Timeout(60)
final class RowCountLimitTest {
    private static final String WRITE_NAME = "add (insert)";

    private String url;

    @BeforeEach
    void makeTable() {
        url = TestServer.emptyDatabase("row_count_limit");
        TestServer.table(url, "shared", 10);
    }

    private WriteChecks checks(Connection control, int maxSeconds) throws SQLException {
        Writes writes = Writes.shared(WRITE_NAME, Writes.Kind.INSERT, "shared", new WriteTallies(false));
        return new WriteChecks(List.of(writes), List.of(), Dialects.of(Dialects.AUTO, control), Map.of(), maxSeconds);
    }

    @Test
    void whatIsNoTableIsNamed() throws SQLException {
        TestServer.execute(url, "create view seen as select * from shared");
        try (Connection control = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            assertThat(why(control, "seen")).isEqualTo("it is not a table");
            assertThat(why(control, "no_such_table")).isEqualTo("there is no such table");
        }
    }

    private static Object why(Connection control, String table) throws SQLException {
        Writes writes = Writes.shared(WRITE_NAME, Writes.Kind.INSERT, table, new WriteTallies(false));
        WriteChecks checks = new WriteChecks(List.of(writes), List.of(), Dialects.postgreSql(), Map.of(), 60);
        checks.begin(control);
        Remark found = assertThat(checks.finish(control)).singleElement().actual();
        return found.figures().get("why");
    }

    private Connection holder() throws SQLException {
        Connection holder = TestServer.connector(url).open(SessionPurpose.CONTROL);
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement()) {
            statement.execute("lock table shared");
        }
        return holder;
    }

    @Test
    void abandonsAndReportsASlowCount() throws SQLException {
        try (Connection control = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            WriteChecks checks = checks(control, 1);
            try (Connection holder = holder()) {
                checks.begin(control);
            }
            Remark why = assertThat(checks.impossible()).singleElement().actual();
            assertThat(why.code()).isEqualTo(RemarkCode.WRITES_NOT_CHECKED);
            assertThat(why.figures()).containsEntry("operations", WRITE_NAME).containsEntry("table", "shared");
            checks.settleBeforeReset(control);
            checks.begin(control);
            assertThat(checks.finish(control)).containsExactly(why);
        }
    }

    @Test
    void stopCancelsTheCount() throws Exception {
        try (Connection control = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Connection holder = holder()) {
            WriteChecks checks = checks(control, 3_600);
            CompletableFuture<Void> begun = CompletableFuture.runAsync(() -> {
                try {
                    checks.begin(control);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            awaitLockWait();
            checks.stopCounting();
            begun.get(20, TimeUnit.SECONDS);
            assertThat(checks.impossible()).extracting(Remark::code).containsExactly(RemarkCode.WRITES_NOT_CHECKED);
        }
    }

    @Test
    void comparesAFastCount() throws SQLException {
        try (Connection control = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            WriteChecks checks = checks(control, 60);
            checks.begin(control);
            assertThat(checks.impossible()).isEmpty();
            assertThat(checks.finish(control))
                    .containsExactly(RemarkCode.NOTHING_ACKNOWLEDGED
                            .with("operations", WRITE_NAME)
                            .with("table", "shared")
                            .remark());
        }
    }

    private void awaitLockWait() {
        while (TestServer.number(
                        url,
                        "select count(*) from pg_locks l join pg_class c on c.oid = l.relation"
                                + " where not l.granted and c.relname = 'shared'")
                == 0) {
            Thread.onSpinWait();
        }
    }
}
