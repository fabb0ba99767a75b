package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A server that starts anew under load; one of its own, as all sessions of the others' tests would be lost. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "signals are sent by kill")
final class RestartTest {
    /** Kills a session's process, so that the server starts anew, and ends the run once its clients are back. */
    private static final class Killer implements RunListener {
        private final String url;
        private Runner runner;
        private int intervals;
        private boolean failed;

        Killer(String url) {
            this.url = url;
        }

        @Override
        public void interval(String phase, IntervalResult interval) {
            if (!phase.equals("measure")) {
                return;
            }
            if (++intervals == 2) {
                kill(TestServer.number(
                        url, "select min(pid) from pg_stat_activity where application_name = 'pgstress'"));
            }
            failed |= interval.failed() > 0;
            if (failed && interval.failed() == 0 && interval.ok() > 0) {
                runner.stop("the clients are back");
            }
        }

        private static void kill(long pid) {
            try {
                new ProcessBuilder("kill", "-KILL", Long.toString(pid)).start().waitFor();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void itsClientsReturn() throws InterruptedException {
        try (EmbeddedServer server =
                EmbeddedServer.open(Path.of("target", "restarted-server").toAbsolutePath())) {
            TestServer.execute(server.url(), "drop table if exists docs");
            TestServer.table(server.url(), "docs", 1_000);
            Killer killer = new Killer(server.url());
            killer.runner = Runs.runner(
                    Runs.spec(
                            "url",
                            server.url(),
                            "table",
                            "docs",
                            "op",
                            "find_first",
                            "threads",
                            "8",
                            "warmup",
                            "0",
                            "interval",
                            "0.5",
                            "duration",
                            "60"),
                    killer);

            RunResult result = killer.runner.run();

            OperationResult operation = result.operations().get("find_first");
            assertThat(operation.errors().keySet()).containsAnyOf("57P02", "08006");
            assertThat(operation.failed()).isGreaterThanOrEqualTo(8);
            assertThat(result.warnings()).contains("ended early: the clients are back");
            assertThat(operation.ok())
                    .isEqualTo(result.intervals().stream()
                            .mapToLong(IntervalResult::ok)
                            .sum());
        }
    }
}
