package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.StatementMode;
import io.pgstress.target.driver.Connector.LoadSessions;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.postgresql.jdbc.PgConnection;

/** Parameters of a URL together with those that the run sets. */
final class UrlParametersTest {
    private static String show(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show " + setting)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void optionsOfTheUrlAndOfTheRunAreBothInForce() throws SQLException {
        String url =
                TestServer.maintenanceUrl() + "&options=-c%20work_mem=7MB&applicationName=theirs&prepareThreshold=9";
        Connector connector = new Connector(
                new Endpoint(url, 0),
                Login.of(""),
                new LoadSessions(StatementMode.PREPARED, "", Map.of("statement_timeout", "4321ms"), 1));

        try (Connection connection = connector.open(SessionPurpose.LOAD)) {
            assertThat(show(connection, "work_mem")).isEqualTo("7MB");
            assertThat(show(connection, "statement_timeout")).isEqualTo("4321ms");
            assertThat(connection.unwrap(PgConnection.class).getPrepareThreshold())
                    .isEqualTo(1);
            assertThat(connector.bytes().bytesIn()).isPositive();
        }
        try (Connection control = connector.open(SessionPurpose.CONTROL)) {
            assertThat(show(control, "work_mem")).isEqualTo("7MB");
            assertThat(show(control, "application_name")).isEqualTo("pgstress control");
        }
    }
}
