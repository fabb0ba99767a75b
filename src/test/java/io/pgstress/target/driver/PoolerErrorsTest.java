package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Only errors without another possible cause are attributed to a pooler. */
final class PoolerErrorsTest {
    private static PSQLException sent(String state, String message, String routine) {
        return new PSQLException(new ServerErrorMessage("SERROR\0C" + state + "\0M" + message + "\0"
                + (routine == null ? "" : "Fpostgres.c\0L1\0R" + routine + "\0")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "42P05 | prepared statement \"S_1\" already exists | StorePreparedStatement | false | true",
                "42P05 | Vorbereitete Anweisung »S_12« existiert bereits | StorePreparedStatement | false | true",
                "42P05 | prepared statement \"mine\" already exists | StorePreparedStatement | true | false",
                "26000 | prepared statement \"S_3\" does not exist | FetchPreparedStatement | false | true",
                "26000 | unnamed prepared statement does not exist | exec_bind_message | false | true",
                "26000 | prepared statement \"mine\" does not exist | FetchPreparedStatement | true | false",
                "08P01 | bind message supplies 1 parameters, but prepared statement \"S_1\" requires 4"
                        + " | exec_bind_message | false | true",
                "08P01 | query_wait_timeout | - | true | false",
                "0A000 | cached plan must not change result type | RevalidateCachedQuery | false | false",
                "0A000 | cached plan must not change result type | RevalidateCachedQuery | true | true",
                "0A000 | multi-shard query is not supported | DeferErrorIfNotSupported | true | false",
                "0A000 | prepared statements are not supported | - | true | true",
                "0A000 | prepared statements are not supported | - | false | false",
                "23505 | duplicate key S_1 | _bt_check_unique | true | false"
            })
    void differFromOrdinaryErrors(
            String state, String message, String routine, boolean sharesSessions, boolean isForeign) {
        SQLException e = sent(state, message, routine);
        assertThat(PoolerErrors.isOfForeignSession(e, sharesSessions)).isEqualTo(isForeign);
    }

    @Test
    void errorsOfTheDriverAreNotAPoolers() {
        assertThat(PoolerErrors.isOfForeignSession(new SQLException("S_1", "26000"), true))
                .isFalse();
    }
}
