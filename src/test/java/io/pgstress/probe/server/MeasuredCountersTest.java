package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.probe.server.MeasuredCounters.Reading;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server's own work within a measurement, and the warnings about it. */
final class MeasuredCountersTest {
    private static final Map<String, Double> RUNNING = Map.of("running", 1.0);

    private static Reading checkpoints(double timed, double requested, double written) {
        Map<String, Double> counters =
                Map.of("num_timed", timed, "num_requested", requested, "buffers_written", written);
        return new Reading(Map.of("checkpointer", Map.of("", counters)));
    }

    /** A reading at 1,000 s. */
    private static Reading vacuums(Map<String, Map<String, Double>> tables) {
        return new Reading(Map.of("clock", Map.of("", Map.of("now", 1000.0)), "vacuum", tables));
    }

    private static List<Remark> between(Reading start, Reading end) {
        return MeasuredCounters.disturbances(start, end, "s", false);
    }

    @Test
    void checkpointThatWroteNothingDisturbsNothing() {
        Reading start = checkpoints(7, 2, 100);

        assertThat(between(start, checkpoints(8, 2, 100))).isEmpty();
        assertThat(between(start, checkpoints(8, 2, 101)))
                .containsExactly(RemarkCode.CHECKPOINT
                        .with("checkpoints", 1L)
                        .with("server", "s")
                        .remark());
        assertThat(between(start, checkpoints(8, 3, 101)))
                .containsExactly(RemarkCode.CHECKPOINT
                        .with("checkpoints", 2L)
                        .with("server", "s")
                        .remark());
        assertThat(between(start, checkpoints(9, 3, 101))).as("regular ones").isEmpty();
    }

    @Test
    void checkpointsThatTheLoadRequestsAreItsOwn() {
        assertThat(MeasuredCounters.disturbances(checkpoints(7, 2, 100), checkpoints(7, 3, 101), "s", true))
                .isEmpty();
    }

    @Test
    void checkpointsAreCountedBeforePostgres17() {
        assertThat(between(
                        new Reading(Map.of(
                                "checkpointer",
                                Map.of("", Map.of("checkpoints_timed", 1.0, "buffers_checkpoint", 5.0)))),
                        new Reading(Map.of(
                                "checkpointer",
                                Map.of("", Map.of("checkpoints_timed", 2.0, "buffers_checkpoint", 6.0))))))
                .hasSize(1);
    }

    @Test
    void vacuumsThatBeganWithinTheMeasurementMayBeTheLoads() {
        Reading start = vacuums(Map.of());
        Map<String, Double> later = Map.of("at", 1000.5);

        assertThat(between(start, vacuums(Map.of("public.a", Map.of("at", 999.5)))))
                .isEmpty();
        assertThat(between(start, vacuums(Map.of("public.a", later, "public.b", RUNNING))))
                .containsExactly(RemarkCode.AUTOVACUUM
                        .with("server", "s")
                        .with("tables", "public.a, public.b")
                        .remark());
        assertThat(between(start, vacuums(Map.of("a", later, "b", later, "c", later, "d", later, "e", later))))
                .containsExactly(RemarkCode.AUTOVACUUM
                        .with("server", "s")
                        .with("tables", "a, b, c and 2 more")
                        .remark());
    }

    @Test
    void findsWorkersOnTheUsersTablesOfItsDatabase() throws SQLException {
        String url = TestServer.freshDatabase("measured_counters");
        ServerList.ObservedServer server =
                new ServerList.ObservedServer("s", ServerList.SINGLE, TestServer.connector(url), false, true, null);
        Notes notes = new Notes();
        ServerLink link = new ServerLink(server, notes);
        try (Connection user = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Connection system = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Connection other =
                        TestServer.connector(TestServer.maintenanceUrl()).open(SessionPurpose.CONTROL)) {
            pretend(user, "VACUUM ANALYZE Sales.orders (to prevent wraparound)");
            pretend(system, "VACUUM pg_toast.pg_toast_1234");
            pretend(other, "ANALYZE public.elsewhere");
            MeasuredCounters measured = new MeasuredCounters(link, true);
            measured.begin();
            measured.end();

            assertThat(notes.all()).isEmpty();
            assertThat(measured.disturbances())
                    .containsExactly(RemarkCode.AUTOVACUUM_FROM_BEFORE
                            .with("server", "s")
                            .with("tables", "Sales.orders")
                            .remark());
        } finally {
            link.drop();
        }
    }

    /** Makes a session look like a worker: {@code pg_stat_activity} shows its last statement, even if that failed. */
    private static void pretend(Connection session, String work) throws SQLException {
        try (Statement statement = session.createStatement()) {
            assertThatThrownBy(() -> statement.execute("autovacuum: " + work)).hasMessageContaining("syntax error");
        }
    }
}
