package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

/** What errors say about their session, in any language of the server. */
@Slow
final class ServerErrorsTest {
    private static PSQLException sent(String severity, String state) {
        return new PSQLException(new ServerErrorMessage("S" + severity + "\0C" + state + "\0MText\0"));
    }

    @ParameterizedTest
    @CsvSource({
        "ERROR, 08006, true", // a Citus worker was lost, but the coordinator's session is alive
        "FEHLER, 08006, true",
        "ERREUR, 08000, true",
        "FEHLER, 42P01, true",
        "FATAL, 57P01, false",
        "FATAL, 42501, false",
        "PANIK, 57P02, false",
        "\u0412\u0410\u0416\u041d\u041e, 57P01, false",
        "\u0412\u0410\u0416\u041d\u041e, 25P03, false"
    })
    void showWhetherTheSessionIsAlive(String severity, String state, boolean isAlive) {
        assertThat(ServerErrors.sessionIsAlive(sent(severity, state))).isEqualTo(isAlive);
        assertThat(ServerErrors.isAnswer(sent(severity, state))).isTrue();
    }

    /** As in Citus 13 and Postgres-XL 10. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "connection to the remote node postgres@127.0.0.1:9702 failed with the following error: server closed | 127.0.0.1:9702",
                "could not connect to w2.example:5432 | w2.example:5432",
                "Failed to receive more data from data node 16386 |",
                "terminating connection at 12:30:59 |"
            })
    void messagesNameTheServerThatWasLost(String message, String address) {
        assertThat(ServerErrors.addressesIn(message)).isEqualTo(address == null ? Set.of() : Set.of(address));
    }

    /** As in Postgres-XL 10. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Failed to receive more data from data node 16386 | Failed to receive more data from data node dn1",
                "remote node 16387 is in error state | remote node dn$2 is in error state",
                "failed to send COMMIT command to the node 16386 | failed to send COMMIT command to the node dn1",
                "Failed to sync msg to node 5 | Failed to sync msg to node 5",
                "16386 rows of node 163869 | 16386 rows of node 163869"
            })
    void nodesThatMessagesNumberAreNamed(String message, String named) {
        assertThat(ServerErrors.withNodes(message, Map.of("16386", "dn1", "16387", "dn$2")))
                .isEqualTo(named);
        assertThat(ServerErrors.withNodes(message, Map.of())).isEqualTo(message);
    }

    @Test
    void driverErrorsShowThatNothingAnswers() {
        SQLException broken = new SQLException("An I/O error occurred", "08006");

        assertThat(ServerErrors.sessionIsAlive(broken)).isFalse();
        assertThat(ServerErrors.isAnswer(broken)).isFalse();
    }

    @Test
    void unusualDriverErrorsAreReportedByTheirCause() {
        String unusual = "Something unusual has occurred to cause the driver to fail. Please report this exception.";
        SQLException ofServer = new PSQLException(unusual, PSQLState.UNEXPECTED_ERROR, sent("ERROR", "57014"));
        SQLException ofJdk =
                new PSQLException(unusual, PSQLState.UNEXPECTED_ERROR, new IllegalStateException("closed"));

        assertThat(ServerErrors.sampleOf(ofServer)).isEqualTo("Text");
        assertThat(ServerErrors.stateOf(ofServer)).isEqualTo("57014");
        assertThat(ServerErrors.sampleOf(ofJdk)).isEqualTo("IllegalStateException: closed");
        assertThat(ServerErrors.stateOf(ofJdk)).isEqualTo("99999");
    }

    @Test
    void batchErrorsAreTheServersAndContainNoValues() throws SQLException {
        String url = TestServer.freshDatabase("batches");
        TestServer.execute(url, "create table t (v text check (v <> 'secret'))");

        BatchUpdateException e = catchThrowableOfType(BatchUpdateException.class, () -> {
            try (Connection connection = TestServer.connector(url).open(SessionPurpose.LOAD);
                    PreparedStatement insert = connection.prepareStatement("insert into t values (?)")) {
                for (String value : List.of("a", "secret", "b")) {
                    insert.setString(1, value);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        });

        assertThat(e.getMessage()).contains("secret");
        assertThat(ServerErrors.sampleOf(e))
                .isEqualTo("new row for relation \"t\" violates check constraint \"t_v_check\"");
        assertThat(ServerErrors.stateOf(e)).isEqualTo("23514");
        assertThat(ServerErrors.sessionIsAlive(e)).isTrue();
        assertThat(ServerErrors.isAnswer(e)).isTrue();
    }
}
