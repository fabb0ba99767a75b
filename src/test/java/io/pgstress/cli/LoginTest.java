package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.LoginServer;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that need no password, or one that a command prints. */
@EveryJdk
@EnabledOnOs(OS.LINUX)
final class LoginTest {
    private static final String SECRET = "s3cret";

    private static LoginServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws IOException {
        server = new LoginServer();
        TestServer.execute(server.url("postgres"), "alter role token password '" + SECRET + "'");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static Ended load(String role, String... more) {
        String line = "-t docs -c 2 -q --warmup 0 -T 300ms --json - -d postgres -U %s --host %s -p %s";
        return stress(line.formatted(role, server.sockets(), server.port()), String.join(" ", more));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "platform"})
    void peerAuthenticationNeedsNoPassword(String threads) {
        Ended ended = load("peer", "--client-threads", threads);
        assertThat(ok(ended)).isPositive();
    }

    private static long ok(Ended ended) {
        assertThat(ended.out()).as(ended.err()).isNotEmpty();
        Map<?, ?> operations = (Map<?, ?>) Json.readMap(ended.out()).get("operations");
        Map<?, ?> total = (Map<?, ?>) operations.get("find_first");
        assertThat((Map<?, ?>) total.get("errors")).isEmpty();
        return ((Number) total.get("ok")).longValue();
    }

    @Test
    void peerOfAnotherRoleIsRefusedInOneLine() {
        Ended ended = load("stranger");
        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err()).hasLineCount(2).contains("Peer authentication failed for user \"stranger\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--pool hikari", "--pool c3p0", "--connect per-transaction"})
    void passwordCommandIsRunForManyConnectionsAndNeverShown(String how) throws IOException {
        Path runs = directory.resolve("runs");
        String command = "echo $PGUSER $PGPORT $PGDATABASE $PGHOST >> " + runs + "; echo " + SECRET;

        Ended ended = load("token", how, "--client-threads auto --password-command '" + command + "'");

        assertThat(ok(ended)).isPositive();
        assertThat(ended.out() + ended.err()).doesNotContain(SECRET);
        assertThat(ended.out()).contains("\"***\"");
        List<String> lines = Files.readAllLines(runs);
        assertThat(lines).hasSizeLessThan(10).contains("token " + server.port() + " postgres " + server.sockets());
    }

    @Test
    void failureOfTheCommandIsToldWithoutItsOutput() {
        Ended ended = load("token", "--password-command 'echo " + SECRET + "; echo no token today >&2; exit 3'");
        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err())
                .hasLineCount(2)
                .contains("--password-command exited with status 3: no token today")
                .doesNotContain(SECRET);
    }

    @Test
    void passwordFileKnowsTheSocketByItsDirectory() throws IOException {
        Path file = directory.resolve("pgpass");
        Files.writeString(
                file, "localhost:*:*:token:wrong\n" + server.sockets() + ":*:postgres:token:" + SECRET + "\n");
        String property = "org.postgresql.pgpassfile";
        String before = System.getProperty(property);
        System.setProperty(property, file.toString());
        try {
            assertThat(ok(load("token"))).isPositive();
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }
}
