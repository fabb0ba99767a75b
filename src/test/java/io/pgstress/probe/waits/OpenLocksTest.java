package io.pgstress.probe.waits;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.server.ServerList;
import io.pgstress.probe.server.ServerList.ObservedServer;
import io.pgstress.result.Remark;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.testing.ServerHomes;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Who holds what the load waits for. The test has its own server, because others have no prepared transactions. */
@Slow
final class OpenLocksTest {
    private static final Path HOME = Path.of("target", "prepared-server").toAbsolutePath();

    @Test
    void preparedTransactionIsNamedWithTheStatementThatEndsIt()
            throws IOException, SQLException, InterruptedException, ExecutionException {
        ServerHomes.make(HOME);
        Files.writeString(HOME.resolve("postgresql-18/data/postgresql.auto.conf"), "max_prepared_transactions = 5\n");
        try (EmbeddedServer server = EmbeddedServer.open(HOME)) {
            String url = server.url();
            TestServer.execute(url, "create table held as select 1 as n union all select 2");
            prepare(url, 1, "of_another_row");
            prepare(url, 2, "left");
            Connector connector = TestServer.connector(url);
            try (Connection load = connector.open(SessionPurpose.LOAD);
                    Connection control = connector.open(SessionPurpose.CONTROL)) {
                FutureTask<Long> update = new FutureTask<>(
                        (Callable<Long>) () -> ControlSql.update(load, "update held set n = n where n = 2"));
                new Thread(update).start();

                Remark found =
                        awaitLocks(control, new ObservedServer("s", ServerList.SINGLE, connector, false, true, null));

                assertThat(found.figures())
                        .containsEntry("gid", "left")
                        .containsKey("since")
                        .containsEntry("kind", "prepared transaction");
                assertThat(found.advice()).contains("rollback prepared");
                TestServer.execute(url, "rollback prepared 'left'");
                assertThat(update.get()).isEqualTo(1);
            } finally {
                TestServer.execute(url, "rollback prepared 'of_another_row'", "drop table held");
            }
        }
    }

    private static void prepare(String url, int row, String gid) {
        TestServer.execute(url, "begin", "update held set n = n where n = " + row, "prepare transaction '" + gid + "'");
    }

    private static Remark awaitLocks(Connection control, ObservedServer server) throws SQLException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        Optional<Remark> found = Optional.empty();
        while (found.isEmpty() && System.nanoTime() < until) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            found = OpenLocks.remark(control, Dialects.postgreSql(), server);
        }
        return found.orElseThrow();
    }
}
