package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.Target;
import io.pgstress.target.driver.PasswordPrompt;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mistakes in the name of a server, a role or a parameter of the URL: one line says what to change. */
final class ConnectionMistakesTest {
    private static String url;

    @BeforeAll
    static void makeDatabase() {
        url = TestServer.emptyDatabase("connection_mistakes");
        TestServer.table(url, "docs", 10);
    }

    private static String of(String role) {
        return url.replaceFirst("user=\\w+", "user=" + role);
    }

    @Test
    void aRoleThatDoesNotExistIsToBeChecked() {
        Ended ended = stress("-t docs --url " + of("nosuch"));

        assertThat(ended.err())
                .isEqualTo(
                        "stress: cannot connect to " + of("nosuch") + ": FATAL: role \"nosuch\" does not exist. Check"
                                + " the role (--user, PGUSER), and what pg_hba.conf of the server permits.\n");
        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
    }

    @Test
    void aMissingPasswordIsToBeSet() throws IOException {
        String role = "asked" + ProcessHandle.current().pid();
        TestServer.execute(url, "create role " + role + " login password 'sesame'");
        try (TestServer.HbaRules rules = new TestServer.HbaRules("host all " + role + " 127.0.0.1/32 scram-sha-256")) {
            TestServer.reload("true");

            Ended ended = stress("-t docs --url " + of(role));

            assertThat(ended.err())
                    .hasLineCount(1)
                    .endsWith(" Set PGPASSWORD, or add a line for role " + role + " to ~/.pgpass.\n");
        } finally {
            TestServer.reload("true");
            TestServer.execute(url, "drop role " + role);
        }
    }

    /** As psql does, on a terminal; for all sessions of the run. */
    @Test
    void aMissingPasswordIsAskedFor() throws Exception {
        String role = "asked" + ProcessHandle.current().pid();
        TestServer.execute(url, "create role " + role + " login password 'sesame'", "grant select on docs to " + role);
        List<String> asked = new CopyOnWriteArrayList<>();
        try (TestServer.HbaRules rules = new TestServer.HbaRules("host all " + role + " 127.0.0.1/32 scram-sha-256")) {
            TestServer.reload("true");
            PasswordPrompt prompt = name -> {
                asked.add(name);
                return "sesame";
            };
            Target target = Target.open(Runs.spec("-t docs -c 2 --url " + of(role)), prompt);

            for (SessionPurpose purpose : List.of(SessionPurpose.LOAD, SessionPurpose.CONTROL, SessionPurpose.LOAD)) {
                try (Connection session = target.first().connector().open(purpose)) {
                    assertThat(session.isValid(5)).isTrue();
                }
            }
            assertThat(asked).containsOnly(role);
            assertThatThrownBy(() -> Target.open(Runs.spec("-t docs --url " + of(role)), name -> "wrong"))
                    .hasMessageContaining("password authentication failed");
        } finally {
            TestServer.reload("true");
            TestServer.execute(url, "drop owned by " + role, "drop role " + role);
        }
    }

    @Test
    void aLimitForAnswersOfTheUrlIsNamed() {
        Target target = Target.open(Runs.spec("-t docs --url " + url + "&socketTimeout=7"));

        assertThat(target.first().cautions()).extracting(Remark::code).containsExactly(RemarkCode.SOCKET_TIMEOUT);
    }

    @ParameterizedTest
    @CsvSource({
        "defaultRowFetchSize=10, --fetch-size decides it",
        "preparedStatementCacheQueries=0, has no cache of statements",
        "preparedStatementCacheSizeMiB=0, has no cache of statements"
    })
    void aParameterThatWouldNotDoWhatItSaysIsRefused(String parameter, String why) {
        assertThatThrownBy(() -> Runs.spec("-t docs --url " + url + "&" + parameter))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining(why);
    }

    @Test
    void statementsWithoutNamesNeedNoCache() {
        assertThat(Runs.spec("-t docs -M extended --url " + url + "&preparedStatementCacheQueries=0")
                        .endpoints())
                .hasSize(1);
    }

    @Test
    void hostsMayBeAddressesOfIpv6() {
        assertThat(Runs.spec("-t docs -c 4 --hosts ::1,[::1]:5433,[::2],h:1").endpoints())
                .extracting(each -> each.host() + ":" + each.port())
                .containsExactly("[::1]:5432", "[::1]:5433", "[::2]:5432", "h:1");
    }

    @Test
    void aFullHeapIsNamedHoweverItWasHidden() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);

        int code = Failure.tell(
                new IllegalArgumentException("Self-suppression not permitted", new OutOfMemoryError("Java heap space")),
                new Streams(stream, stream),
                false,
                List.of());

        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("stress: the heap of ")
                .hasLineCount(1);
        assertThat(code).isEqualTo(ExitCode.TARGET);
    }
}
