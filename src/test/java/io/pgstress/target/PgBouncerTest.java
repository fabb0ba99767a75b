package io.pgstress.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of poolers with a real PgBouncer: PGSTRESS_TEST_PGBOUNCER, or the one on the PATH. */
@Slow
final class PgBouncerTest {
    private static final long MAX_WAIT_NANOS = 10_000_000_000L;
    private static String direct;
    private static String program;
    private static boolean supportsPreparedStatements;

    @TempDir
    private Path home;

    private Process process;

    @BeforeAll
    static void find() throws IOException {
        String named = System.getenv("PGSTRESS_TEST_PGBOUNCER");
        program = named != null
                ? named
                : Stream.of((System.getenv("PATH") + ":/usr/sbin:/usr/local/sbin").split(":"))
                        .map(directory -> Path.of(directory, "pgbouncer"))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst()
                        .orElse("");
        assumeTrue(!program.isEmpty(), "PgBouncer: no pgbouncer on the PATH");
        Process asking = new ProcessBuilder(program, "--version")
                .redirectErrorStream(true)
                .start();
        String asked = new String(asking.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher found = Pattern.compile("PgBouncer 1\\.(\\d+)\\S*").matcher(asked);
        assertThat(found.find()).as(asked).isTrue();
        supportsPreparedStatements = Integer.parseInt(found.group(1)) >= 21;
        direct = TestServer.freshDatabase("pgbouncer_real");
        TestServer.table(direct, "docs", 500);
    }

    @AfterEach
    void stop() {
        if (process != null) {
            process.destroy();
        }
    }

    /** Starts PgBouncer and returns a URL through it. */
    private String start(String mode, String more) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path file = home.resolve("pgbouncer.ini");
        Files.writeString(file, """
            [databases]
            * = host=127.0.0.1 port=%d user=postgres
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = any
            pool_mode = %s
            %s
            """.formatted(TestServer.port(), port, mode, more));
        List<String> command = new ArrayList<>(List.of(program));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(file.toString());
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start();
        long end = System.nanoTime() + MAX_WAIT_NANOS;
        while (!listens(port)) {
            assertThat(process.isAlive() && System.nanoTime() < end)
                    .as(Files.readString(home.resolve("log")))
                    .isTrue();
            LockSupport.parkNanos(20_000_000);
        }
        return direct.replace(":" + TestServer.port() + "/", ":" + port + "/");
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static RunResult run(String url, String... more) {
        return Runs.run("-t docs -c 8 --warmup 0 -T 1s -P 200ms --url " + url, more);
    }

    @Test
    void refusesUnsupportedPreparedStatementsWithTransactionPooling() throws IOException {
        String url = start("transaction", supportsPreparedStatements ? "max_prepared_statements = 0" : "");
        assertThatThrownBy(() -> Target.open(Runs.spec("-t docs -c 8 --url " + url)))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("transaction pooler without support for prepared statements");
        assertThat(TestServer.number(url, "select count(*) from pg_prepared_statements"))
                .isZero();
    }

    @Test
    void runsSupportedPreparedStatementsWithTransactionPooling() throws IOException {
        assumeTrue(supportsPreparedStatements, "prepared statements through PgBouncer: they need 1.21 or newer");
        RunResult result = run(start("transaction", "max_prepared_statements = 100"));
        assertThat(Runs.reasonsOfTheRunItself(result)).isEmpty();
    }

    @Test
    void refusesStatementPooling() throws IOException {
        String url = start("statement", "");
        assertThatThrownBy(() -> Target.open(Runs.spec("-t docs -c 2 -M plain --url " + url)))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("with statement pooling, which refuses transactions");
    }

    @Test
    void transactionPoolingRunsPlainStatements() throws IOException {
        RunResult result = run(start("transaction", ""), "-M plain");
        assertThat(result.servers().get(0).pooling()).isEqualTo("transaction");
        assertThat(Runs.reasonsOfTheRunItself(result)).isEmpty();
        assertThat(result.warnings()).anyMatch(w -> w.code() == RemarkCode.SHARED_SESSIONS);
    }

    @Test
    void transactionPoolingCannotKeepSettings() throws IOException {
        String url = start("transaction", "");
        assertThatThrownBy(() -> Target.open(Runs.spec("-t docs -c 8 -M plain --set work_mem=7MB --url " + url)))
                .hasMessageContaining("cannot keep the settings of a session (work_mem)");
    }

    @Test
    void sessionPoolingRunsPreparedStatementsWithSettings() throws IOException {
        RunResult result = run(start("session", ""), "--set work_mem=7MB");
        assertThat(result.servers().get(0).pooling()).isEqualTo("session");
        assertThat(Runs.reasonsOfTheRunItself(result)).isEmpty();
        assertThat(result.warnings())
                .noneMatch(w -> w.code() == RemarkCode.SHARED_SESSIONS)
                .anyMatch(
                        w -> w.code() == RemarkCode.SETTINGS_BY_SQL && w.text().contains("work_mem"));
    }
}
