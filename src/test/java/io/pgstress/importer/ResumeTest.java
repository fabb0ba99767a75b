package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.dataset.RunLock;
import io.pgstress.dataset.RunLock.Claim;
import io.pgstress.importer.table.TableRules;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After an interrupted import is resumed, every document exists once, in the table or among the rejects. */
@Slow
final class ResumeTest extends ImportTestCase {
    private static final int DOCUMENTS = 150_000;
    private static final int MOST_KILLS = 4;

    /** Starts the command in a JVM repeatedly and kills it at random moments, until it completes. */
    private int killedAndResumed(String to, Path file, int documents, String... more) throws Exception {
        Random random = new Random(documents);
        for (int kills = 0; ; kills++) {
            List<String> arguments = new ArrayList<>(List.of(
                    "import", file.toString(), "--url", to, "-q", "--jobs", "2", "--rejects", directory.toString()));
            Collections.addAll(arguments, more);
            if (kills > 0) {
                arguments.add("--resume");
            }
            Path output = directory.resolve("output");
            Process child = Imports.stress("256m", arguments.toArray(String[]::new))
                    .redirectOutput(output.toFile())
                    .start();
            if (kills == 0) {
                awaitChunk(to, child);
            }
            int millis = kills == 0 ? 1 : kills < MOST_KILLS ? 900 + random.nextInt(1500) : 120_000;
            if (child.waitFor(millis, TimeUnit.MILLISECONDS)) {
                assertThat(child.exitValue()).as(Files.readString(output)).isIn(0, 4);
                return kills;
            }
            child.destroyForcibly().waitFor();
        }
    }

    /** The first kill happens when some rows are loaded, however fast the machine is. */
    private static void awaitChunk(String to, Process child) throws InterruptedException {
        long before = chunks(to);
        while (child.isAlive() && chunks(to) <= before) {
            child.waitFor(5, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void resumesAfterKillsAtRandomMoments() throws Exception {
        Path file = imports.write("killed", Imports.wide(DOCUMENTS, i -> i));

        assertThat(killedAndResumed(url, file, DOCUMENTS)).isPositive();

        assertThat(count("killed")).isEqualTo(DOCUMENTS);
        assertThat(number("select count(distinct _id) from killed")).isEqualTo(DOCUMENTS);
    }

    /** Waits until the command sends rows. */
    private static void awaitCopy(String to, Process child) throws InterruptedException {
        while (child.isAlive()
                && TestServer.number(
                                to,
                                "select count(*) from pg_stat_activity where datname = current_database()"
                                        + " and state = 'active' and query ilike 'copy %'")
                        == 0) {
            child.waitFor(5, TimeUnit.MILLISECONDS);
        }
    }

    /** Killed at random moments and begun again. */
    @Test
    void aKilledAtomicImportLeavesNothingToTheNext() throws Exception {
        String to = TestServer.freshDatabase("resume_atomic");
        Path file = new Imports(to, directory).write("whole", Imports.wide(DOCUMENTS, i -> i));
        Random random = new Random(5);
        List<String> command = List.of(
                "import",
                file.toString(),
                "--url",
                to,
                "-q",
                "--jobs",
                "2",
                "--atomic",
                "--verify",
                "--primary-key",
                "before");
        for (int kill = 0; kill < 3; kill++) {
            Process child = Imports.stress("256m", command.toArray(String[]::new))
                    .redirectOutput(directory.resolve("output").toFile())
                    .start();
            if (kill % 2 == 0) {
                awaitCopy(to, child);
            }
            assertThat(child.waitFor(1 + random.nextInt(300), TimeUnit.MILLISECONDS))
                    .isFalse();
            child.destroyForcibly().waitFor();
            assertThat(
                            TestServer.number(
                                    to,
                                    "select count(*) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"))
                    .isZero();
        }

        Imports again = new Imports(to, directory);
        again.atomic = true;
        again.verify = true;

        assertThat(again.one(file).fault()).isEmpty();
        assertThat(TestServer.number(to, "select count(distinct _id) from whole"))
                .isEqualTo(DOCUMENTS);
        assertThat(TestServer.text(
                        to,
                        "select string_agg(relname, ' ' order by relname) from pg_class where relkind = 'r'"
                                + " and relnamespace = 'public'::regnamespace"))
                .isEqualTo("stress_import_chunks stress_imports whole");
        assertThat(chunks(to)).isZero();
        assertThat(TestServer.text(to, "select string_agg(state, ' ') from stress_imports"))
                .isEqualTo("complete");
    }

    @Test
    void resumesAfterAKillWhileHalving() throws Exception {
        TestServer.execute(url, "create table halved (_id int, data jsonb check ((data->>'n')::int % 1000 <> 7))");
        int documents = 50_000;
        Path file = imports.write("halved", Imports.numbered(documents, i -> i));

        assertThat(killedAndResumed(url, file, documents, "--if-exists", "append", "--max-rejects", "200"))
                .isPositive();

        assertThat(count("halved")).isEqualTo(documents - 50);
        assertThat(number("select count(distinct _id) from halved")).isEqualTo(documents - 50);
        assertThat(Files.readAllLines(directory.resolve("halved.rejects.json")).stream()
                        .distinct())
                .hasSize(50);
        assertThat(imports.one(directory.resolve("halved.rejects.bson")).rows()).isEqualTo(50);
    }

    /** A kill may come too late. */
    @Test
    void doesNotRepeatACompleteImport() throws Exception {
        TestServer.execute(url, "create table complete (_id int, data jsonb)");
        Path file = imports.write("complete", Imports.numbered(100, i -> i));
        imports.ifExists = TableRules.IfExists.APPEND;
        imports.run(file);
        imports.resume = true;

        assertThat(imports.one(file).skipped()).isEqualTo(100);

        assertThat(count("complete")).isEqualTo(100);
        assertThat(number("select count(*) from pg_index where indrelid = 'complete'::regclass"))
                .isZero();
    }

    @Test
    void resumesAfterALostAnswerToCommit() throws Exception {
        Path file = imports.write("cut", Imports.wide(DOCUMENTS, i -> i));
        imports.cutOff(file, 3);
        assertThat(count("cut")).isPositive();

        imports.resume = true;
        imports.run(file);

        assertThat(count("cut")).isEqualTo(DOCUMENTS);
        assertThat(number("select count(distinct _id) from cut")).isEqualTo(DOCUMENTS);
    }

    @Test
    void resumesAfterAnImmediateShutdown() throws Exception {
        Path home = directory.resolve("server");
        Path file = imports.write("stopped", Imports.wide(DOCUMENTS, i -> i));
        Process child;
        try (EmbeddedServer server = EmbeddedServer.open(home)) {
            child = Imports.stress("256m", "import", file.toString(), "--url", server.url(), "-q")
                    .redirectOutput(directory.resolve("output").toFile())
                    .start();
            for (int i = 0; i < 200 && chunks(server.url()) < 1; i++) {
                child.waitFor(20, TimeUnit.MILLISECONDS);
            }
            long postmaster =
                    TestServer.number(server.url(), "select split_part(pg_read_file('postmaster.pid'), chr(10), 1)");
            new ProcessBuilder("kill", "-QUIT", Long.toString(postmaster))
                    .start()
                    .waitFor();
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        try (EmbeddedServer server = EmbeddedServer.open(home)) {
            Imports resumed = new Imports(server.url(), directory);
            resumed.resume = true;
            resumed.run(file);
            assertThat(TestServer.number(server.url(), "select count(*) from stopped"))
                    .isEqualTo(DOCUMENTS);
            assertThat(TestServer.number(server.url(), "select count(distinct _id) from stopped"))
                    .isEqualTo(DOCUMENTS);
        }
    }

    private static long chunks(String to) {
        return TestServer.text(to, "select to_regclass('stress_import_chunks') is null")
                        .equals("t")
                ? 0
                : TestServer.number(to, "select count(*) from stress_import_chunks");
    }

    @Test
    void doesNotResumeWithAnotherInput() throws Exception {
        imports.one("other", Imports.numbered(100, i -> i == 99 ? 0 : i));
        imports.resume = true;

        assertThatThrownBy(() -> imports.one("other", Imports.numbered(101, i -> i)))
                .hasMessageContaining("another input");
    }

    @Test
    void doesNotResumeWithAnotherInputOfTheSameSize() throws Exception {
        imports.one("changed", Imports.numbered(100, i -> i == 99 ? 0 : i));
        imports.resume = true;

        assertThatThrownBy(() -> imports.one("changed", Imports.numbered(100, i -> i + 1)))
                .hasMessageContaining("another input");
    }

    @Test
    void secondImportIntoTheSameTableIsRefused() throws Exception {
        imports.one("locked", Imports.numbered(100, i -> i));
        imports.resume = true;
        try (RunLock other =
                RunLock.take(TestServer.connector(url), "import", List.of(new Claim("\"locked\"", false)))) {
            assertThatThrownBy(() -> imports.one("locked", Imports.numbered(100, i -> i)))
                    .hasMessageContaining("table locked is in use by another run (pgstress run import, pid ");
        }
        assertThat(imports.one("locked", Imports.numbered(100, i -> i)).skipped())
                .isEqualTo(100);
    }

    /** Neither with another input, nor with chunks of another size. */
    @ParameterizedTest
    @ValueSource(strings = {"input_bytes = 7", "chunk_bytes = chunk_bytes / 4"})
    void refusesAnImportThatCannotBeResumedWhateverIfExistsSays(String difference) throws Exception {
        TestServer.execute(url, "create table if not exists foreign_begin (_id int, data jsonb)");
        imports.ifExists = TableRules.IfExists.APPEND;
        imports.one("foreign_begin", Imports.numbered(10, i -> i));
        TestServer.execute(
                url,
                "update stress_imports set state = 'loading', " + difference + " where target = 'foreign_begin'",
                "insert into stress_import_chunks values ('foreign_begin', 0, 10, false, 0)");
        long rows = count("foreign_begin");
        imports.resume = true;

        assertThatThrownBy(() -> imports.one("foreign_begin", Imports.numbered(10, i -> i)))
                .hasMessageContaining("another input, or was started by another version")
                .hasMessageContaining("--if-exists drop or truncate");
        assertThat(count("foreign_begin")).isEqualTo(rows);
    }
}
