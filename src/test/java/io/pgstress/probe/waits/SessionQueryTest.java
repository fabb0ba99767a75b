package io.pgstress.probe.waits;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.waits.SessionQuery.Blocking;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The queries for each version of PostgreSQL, on the one that there is. */
final class SessionQueryTest {
    private static Connection connect() throws SQLException {
        return TestServer.connector(TestServer.maintenanceUrl()).open(SessionPurpose.CONTROL);
    }

    private static List<String> columns(Connection control, String sql) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = control.createStatement()) {
            ResultSetMetaData columns = statement.executeQuery(sql).getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                names.add(columns.getColumnLabel(i));
            }
        }
        return names;
    }

    @Test
    void everyVersionAnswersWithTheSameColumns() throws SQLException {
        try (Connection control = connect()) {
            List<String> all = columns(control, SessionQuery.sql(control, null));
            all.remove("backend_type"); // only read of sessions that block others

            assertThat(columns(control, SessionQuery.WAITS)).containsExactlyInAnyOrderElementsOf(all);
            assertThat(columns(
                            control,
                            SessionQuery.LOCKS.replace(
                                    "from pg_stat_activity",
                                    "from (select *, false as waiting from pg_stat_activity) before_9_6")))
                    .containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    void sessionThatBlocksOthersIsNamed() throws SQLException {
        try (Connection control = connect()) {
            int own = Math.toIntExact(ControlSql.number(control, "select pg_backend_pid()"));

            Map<Integer, Blocking> found = new SessionQuery(control, null, true).blocking(List.of(own, 0), 2);

            assertThat(found).containsOnlyKeys(own, 0).containsEntry(0, Blocking.PREPARED_OR_GONE);
            assertThat(found.get(own).session().isActive()).isTrue();
            assertThat(found.get(own).type()).isEqualTo("client backend");
            assertThat(found.get(own).application()).isEqualTo("pgstress control");
            assertThat(found.get(own).statement()).startsWith("select pid");
        }
    }
}
