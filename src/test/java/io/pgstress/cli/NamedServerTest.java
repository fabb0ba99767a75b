package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Child;
import io.pgstress.testing.TestServer;
import io.pgstress.testing.UnixProxy;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands find their server as psql does. */
final class NamedServerTest {
    private static final String DATABASE = "named server";

    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase(DATABASE);
        TestServer.table(url, "docs", 100);
    }

    private static String port() {
        return Integer.toString(TestServer.port());
    }

    @Test
    void socketDirectoryIsAHost() throws IOException {
        try (UnixProxy proxy = new UnixProxy()) {
            String host = proxy.directory().toString();
            String load = "-t docs -c 2 --warmup 0 -T 300ms -q --json -";
            Ended ended = stress(load, "-U postgres -p %s --host %s -d '%s'".formatted(port(), host, DATABASE));

            String expected =
                    "jdbc:postgresql://" + host.replace("/", "%2F") + ":" + port() + "/named%20server?user=postgres";
            assertThat(ended.err()).startsWith("stress: server: " + expected + "\n");
            Map<?, ?> server = (Map<?, ?>) ((List<?>) Json.readMap(ended.out()).get("servers")).get(0);
            assertThat(server.get("transport")).isEqualTo("unix");
            assertThat(server.get("url")).isEqualTo(expected);

            String uri = "postgresql://postgres:secret@/named%20server?port=" + port() + "&host=" + host;
            Ended again = stress(load, "--url " + uri);
            assertThat(again.out() + again.err()).contains("password=***").doesNotContain("secret");
        }
    }

    /** The command has the whole environment of a psql; the service's role has precedence over PGUSER. */
    @Test
    void serviceAndEnvironmentNameAServer() throws IOException, InterruptedException {
        Path services = Files.writeString(
                directory.resolve("services"),
                "[bench]\nuser=postgres\nport=" + port() + "\ndbname=" + DATABASE + "\n");
        Map<String, String> environment = Map.of(
                "PGSERVICE", "bench", "PGSERVICEFILE", services.toString(), "PGHOST", "127.0.0.1", "PGUSER", "nobody");
        try (Child child = new Child(directory, environment, "explain", "--table", "docs", "--op", "find_first")) {
            assertThat(child.exit()).as(child.err()).isZero();
            assertThat(child.err())
                    .isEqualTo("stress: server: jdbc:postgresql://127.0.0.1:" + port()
                            + "/named%20server?user=postgres\n");
            assertThat(child.out()).startsWith("find_first select ");
        }
        try (Child child = new Child(directory, environment, "--op", "find_first")) {
            assertThat(child.exit()).isEqualTo(2);
            assertThat(child.err())
                    .contains("--table: is missing, and PGHOST selects the server jdbc:postgresql://127.0.0.1:")
                    .hasLineCount(1);
        }
    }

    @Test
    void missingSocketIsToldInOneLine() {
        Ended ended = stress("--host " + directory + " -d x -U u -t docs");
        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err())
                .hasLineCount(2)
                .contains("no server listens at " + directory.resolve(".s.PGSQL.5432") + ": there is no such file");
    }

    @Test
    void importAndDiffTakeTheSameOptions() throws IOException {
        String dump = directory.resolve("dump").toString();
        assertThat(stress("generate " + dump + " --count 10 --no-gzip").code()).isZero();
        String conninfo = "host=127.0.0.1 port=" + port() + " user=postgres dbname='" + DATABASE + "'";

        Ended imported = stress("import %s --url \"%s\" --table imported -q".formatted(dump, conninfo));
        assertThat(imported.code()).as(imported.err()).isZero();
        assertThat(imported.out()).contains("--url 'jdbc:postgresql://127.0.0.1:" + port() + "/named%20server?user=");
        Ended compared = stress("diff %s -d \"%s\" --table imported -q --user postgres".formatted(dump, conninfo));
        assertThat(compared.code()).as(compared.err()).isZero();
    }
}
