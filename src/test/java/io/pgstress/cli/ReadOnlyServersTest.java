package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.Documents;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.testing.OldCitus;
import io.pgstress.testing.ServerHomes;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers and roles that may only read: loads that write are refused before they begin, and others run. */
@Slow
final class ReadOnlyServersTest {
    private static final Path DIRECTORY = Path.of("target", "standby-server").toAbsolutePath();

    private static final String SETTING = "default_transaction_read_only";

    private static EmbeddedServer standby;
    private static String url;
    private static String ofRole;
    private static String cluster;
    private static final String ROLE = "reader" + ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    /** A server that recovers from nothing but its own WAL, and so never stops to recover. */
    @BeforeAll
    static void start() throws IOException {
        ServerHomes.make(DIRECTORY);
        Path signal = DIRECTORY.resolve("postgresql-18").resolve("data").resolve("standby.signal");
        Files.deleteIfExists(signal);
        cluster = TestServer.freshDatabase("read_only_cluster");
        String database = TestServer.text(cluster, "select current_database()");
        try (EmbeddedServer primary = EmbeddedServer.open(DIRECTORY)) {
            TestServer.execute(primary.url(), "drop table if exists docs, docs_copy");
            TestServer.table(primary.url(), "docs", 100);
            TestServer.execute(primary.url(), "drop database if exists " + database);
            TestServer.execute(primary.url(), "create database " + database);
        }
        Files.writeString(signal, "");
        standby = EmbeddedServer.open(DIRECTORY);
        url = TestServer.freshDatabase("read_only");
        TestServer.table(url, "docs", 100);
        TestServer.execute(
                url, "create role " + ROLE + " login superuser", "alter role " + ROLE + " set " + SETTING + " = on");
        ofRole = url.replaceFirst("user=\\w+", "user=" + ROLE);
    }

    @AfterAll
    static void stop() {
        standby.close();
        TestServer.execute(url, "drop role " + ROLE);
    }

    private static Ended run(String server, String operation) {
        return Ended.stress("-t docs -c 2 --warmup 0s -T 300ms -q --op " + operation + " --url " + server);
    }

    private static void assertRefused(Ended ended, String line) {
        assertThat(ended.err()).isEqualTo("stress: " + line + "\n");
        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(ended.out()).isEmpty();
    }

    private static String ofStandby() {
        return standby.url() + " is a standby (pg_is_in_recovery() is true): its data are read-only, and ";
    }

    private static String ofRole() {
        return ofRole + " has read-only sessions (" + SETTING + " is on, set for the role: alter role " + ROLE
                + " reset " + SETTING + "), and ";
    }

    private Ended imported(String server) throws IOException {
        Path dump = Files.write(directory.resolve("some.bson"), Documents.of(10, (w, i) -> w.int32("_id", i)));
        return Ended.stress("import " + dump + " -q --rejects " + directory + " --url " + server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"find_insert", "find_update", "find_delete"})
    void refusesALoadThatWrites(String operation) {
        assertRefused(run(standby.url(), operation), ofStandby() + operation + " writes");
        assertRefused(run(ofRole, operation), ofRole() + operation + " writes");
    }

    /** A Citus whose second worker is the standby, which has a database of the same name. */
    @Test
    void refusesToWriteToAReadOnlyNodeOfACluster() throws IOException {
        String port = standby.url().replaceFirst(".*?:(\\d+)/.*", "$1");
        OldCitus.createIn(cluster);
        TestServer.table(cluster, "docs", 100);
        TestServer.execute(cluster, "update pg_dist_node set nodeport = " + port + " where nodeid = 2");

        String worker = "localhost:" + port + " (worker) is a standby (pg_is_in_recovery() is true): its data are"
                + " read-only, and ";
        assertRefused(run(cluster, "find_update"), worker + "find_update writes");
        assertThat(imported(cluster).err()).endsWith("stress: " + worker + "an import writes\n");
        assertThat(run(cluster, "find_first").code()).isNotEqualTo(ExitCode.TARGET);
    }

    @Test
    void refusesAnImport() throws IOException {
        assertRefused(imported(standby.url()), ofStandby() + "an import writes");
        assertRefused(imported(ofRole), ofRole() + "an import writes");
    }

    @Test
    void refusesTablesThatAnOperationCreates() {
        String failure = "the operations could not be prepared: cannot execute CREATE TABLE ";
        String options = "-c 2 --warmup 0s -T 300ms -q --op select_only --url ";
        assertThat(Ended.stress(options + standby.url()).err())
                .startsWith("stress: " + failure + "in a read-only transaction; " + standby.url() + " is a standby")
                .hasLineCount(1);
        assertThat(Ended.stress(options + ofRole).err())
                .startsWith("stress: " + failure + "in a read-only transaction; " + ofRole + " has read-only sessions")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"find", "find_first", "find_in"})
    void readsWithoutARemarkAboutFailedChecks(String operation) {
        for (String server : new String[] {standby.url(), ofRole}) {
            Ended ended = run(server, operation + " --verbose");
            assertThat(ended.code()).as(ended.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
            assertThat(ended.out()).doesNotContain("25006", "during recovery", "read-only transaction");
        }
    }

    @Test
    void explainsReads() {
        Ended ended = Ended.stress("explain -t docs --op find_first --url " + standby.url());
        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DONE);
    }

    @Test
    void explainNamesWhyTheCopyTableCannotBeCreated() {
        assertRefused(
                Ended.stress("explain -t docs --op find_insert --url " + ofRole),
                ofRole() + "creating table docs_copy writes");
    }

    @Test
    void namesWhereTheSettingIs() {
        String all = "alter database read_only reset " + SETTING;
        TestServer.execute(url, "alter database read_only set " + SETTING + " = on");
        try {
            assertRefused(
                    run(url, "find_update"),
                    url + " has read-only sessions (" + SETTING + " is on, set for the database: " + all
                            + "), and find_update writes");
        } finally {
            TestServer.execute(url, "set " + SETTING + " = off", all);
        }
        assertRefused(
                run(url, "find_update --set " + SETTING + "=on"),
                url + " has read-only sessions (" + SETTING
                        + " is on, set by the URL, PGOPTIONS or --set), and find_update writes");
    }

    @Test
    void runsIfTheRunItselfMayWrite() {
        Ended ended = run(ofRole + "&options=-c%20" + SETTING + "=off", "find_update");
        assertThat(ended.code()).as(ended.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
        assertThat(ended.out()).contains("all 2 checks of what was written passed");
    }
}
