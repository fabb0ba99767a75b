package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.cli.Ended;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.HostResult;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Child;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three hosts with one certificate, and a server that requires a password; that of {@code h2} is wrong. A command with a certificate
 * of another CA cannot use them.
 */
@Slow
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class FleetSecurityTest {
    private static final String ROLE = "fleet_with_password";
    private static final String PASSWORD = "open-sesame-4711";
    private static final String WRONG = "shut-sesame-4711";
    private static final String VARIABLE = "PGPASSWORD";

    private static String admin;
    private static String url;
    private static Path keys;
    private static String storePassword;
    private static ThreeAgents fleet;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void start() throws Exception {
        admin = TestServer.freshDatabase("fleet_security");
        url = admin.replaceFirst("user=\\w+", "user=" + ROLE);
        TestServer.table(admin, "docs", 1000);
        requirePassword();
        keys = newKeys("keys");
        storePassword = Files.readString(keys.resolve("password")).strip();
        fleet = new ThreeAgents(
                directory,
                List.of(Map.of(VARIABLE, PASSWORD), Map.of(VARIABLE, WRONG), Map.of(VARIABLE, PASSWORD)),
                tls(keys));
    }

    @AfterAll
    static void stop() {
        if (fleet != null) { // null if it did not start
            fleet.close();
        }
    }

    /** The embedded server trusts everyone on this machine, except this role. */
    private static void requirePassword() throws IOException {
        Path rules = Path.of(TestServer.text(admin, "show hba_file"));
        String all = Files.readString(rules);
        if (!all.contains(ROLE)) {
            Files.writeString(rules, "host all " + ROLE + " all scram-sha-256\n" + all);
            TestServer.execute(admin, "create role " + ROLE + " login in role pg_monitor password '" + PASSWORD + "'");
        }
        TestServer.execute(admin, "grant select on docs to " + ROLE, "select pg_reload_conf()");
    }

    /** Of all hosts: each key takes a JVM. */
    private static Path newKeys(String name) {
        Path made = directory.resolve(name);
        Ended ended = Ended.stress("agent", "keys", made.toString(), "--hosts *.fleet");
        assertThat(ended.code()).as(ended.err()).isZero();
        return made;
    }

    private static String tls(Path stores) {
        return "--tls-keystore %s/all.fleet.p12 --tls-truststore %s/truststore.p12 --tls-password-file %s/password"
                .formatted(stores, stores, stores);
    }

    private static String[] load(String server, String... more) {
        String line = "-t docs -c 6 --think 2ms --warmup 0 -T 0.5 -P 0.25 --url " + server;
        return fleet.with(line, tls(keys), String.join(" ", more));
    }

    /** A password in the URL goes to the agents, which use it instead of their own. */
    @Test
    @Order(1)
    void hostsWithCertificatesShareALoad() throws IOException {
        Path json = directory.resolve("tls.json");
        Path html = directory.resolve("tls.html");
        TestServer.execute(admin, "select pg_stat_statements_reset()");
        Ended ended =
                Ended.stress(load(url + "&password=" + PASSWORD, "--json", json.toString(), "--html", html.toString()));

        assertThat(ended.code()).as(ended.err() + fleet.said()).isIn(0, 1, 5);
        RunResult run = (RunResult) ResultFile.read(json);
        assertThat(run.hosts()).extracting(HostResult::name).containsExactly("h1", "h2", "h3");
        assertThat(run.hosts()).noneMatch(HostResult::wasLost).allMatch(host -> host.ok() > 0);
        assertThat(run.total().errors()).isEmpty();
        String sql = run.total().statements().get("select").sql().replace("?", "$1");
        assertThat(TestServer.number(
                        admin, // whose text may be that of the PREPARE by which the statement was explained
                        "select sum(calls) from pg_stat_statements where query ~ '^(prepare .* as )?select'"
                                + " and right(query, " + sql.length() + ") = '" + sql + "'"))
                .isEqualTo(run.total().ok());
        assertThat(run.run().insecure()).isFalse();
        assertThat(ended.out() + ended.err()).doesNotContain("insecure", "encrypted");
        assertThat(fleet.said()).contains("with TLS").doesNotContain("without TLS");
        assertThat(Files.readString(json)).contains("password=***");
        assertNoPassword(ended.out() + ended.err() + Files.readString(json) + Files.readString(html));
    }

    /** Each host's password is its own; that of the command is not sent. */
    @Test
    @Order(2)
    void hostWithAWrongPasswordIsNamed() throws Exception {
        Path json = directory.resolve("refused.json");
        try (Child command = new Child(directory, Map.of(VARIABLE, PASSWORD), load(url, "--json", json.toString()))) {
            command.await(() -> commandLines().contains("refused.json"));
            String commandLines = commandLines();
            assertThat(command.exit()).as(command.err()).isEqualTo(3);
            assertThat(command.err().lines().filter(line -> line.startsWith("stress: ")))
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("stress: host h2: ")
                    .contains("FATAL: password authentication failed for user \"" + ROLE + "\"");
            assertNoPassword(command.out() + command.err() + commandLines);
            assertThat(json)
                    .satisfiesAnyOf(
                            file -> assertThat(file).doesNotExist(),
                            file -> assertThat(file).isEmptyFile());
        }
    }

    @Test
    @Order(3)
    void certificateOfAnotherCaIsRefused() throws IOException {
        Path others = newKeys("others");
        fleet.assertNoneIsFree(
                FleetTls.context(
                        others.resolve("all.fleet.p12"),
                        others.resolve("truststore.p12"),
                        FleetTls.password(others.resolve("password"), Map.of())),
                ": see whether both hosts have certificates of one CA, which have not expired; start more with: stress agent");
        assertThat(fleet.said()).contains("refused a connection from 127.0.0.1: ");
        assertThat(fleet.said().lines()).noneMatch(line -> line.matches("\\s+at .*"));
    }

    /** Those of all processes of this machine. */
    private static String commandLines() {
        return ProcessHandle.allProcesses().map(FleetSecurityTest::commandLine).collect(Collectors.joining("\n"));
    }

    /** {@link ProcessHandle.Info} has no long ones. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException e) {
            return ""; // it has ended
        }
    }

    private static void assertNoPassword(String text) {
        for (String secret : List.of(PASSWORD, WRONG, storePassword)) {
            assertThat(text).doesNotContain(secret);
            assertThat(fleet.said()).doesNotContain(secret);
        }
    }
}
