package io.pgstress.target.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Known problems of Postgres-XL's sessions. The test server's function for settings is hidden by one that knows Postgres-XL's. */
final class XlSessionsTest {
    @Test
    void warnsOfUpdatesThroughCoordinatorsWithSnapshotsOfTheirOwn() throws SQLException {
        String url = TestServer.freshDatabase("xl_sessions");
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            statement.execute("create function current_setting(text) returns text language sql as"
                    + " $$ select pg_catalog.current_setting('xl.' || $1) $$");
            statement.execute("set search_path = public, pg_catalog");
            PostgresXl sessions = new PostgresXl();

            statement.execute("set xl.global_snapshot_source = coordinator");
            assertThat(sessions.updateHazards(connection, 2))
                    .singleElement()
                    .asString()
                    .contains("global_snapshot_source = coordinator");
            assertThat(sessions.updateHazards(connection, 1)).isEmpty();
            statement.execute("set xl.global_snapshot_source = gtm");
            assertThat(sessions.updateHazards(connection, 2)).isEmpty();
        }
    }
}
