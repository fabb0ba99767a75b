package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.dataset.RunLock;
import io.pgstress.dataset.RunLock.Claim;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After an interrupted import is resumed, every document exists once, in the table or among the rejects. */
@Slow
final class ResumeTest extends ImportTestCase {
    private static final int DOCUMENTS = 100_000;

    private final Random random = new Random(5);

    private Process start(String... arguments) throws IOException {
        return Imports.stress("256m", arguments)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }

    /** Kills the command as soon as it has loaded a chunk, and at a random moment after the next one; then resumes it here. */
    private CollectionSummary killedAndResumed(Path file, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "import", file.toString(), "--url", url, "-q", "--jobs", "2", "--rejects", directory.toString()));
        Collections.addAll(arguments, more);
        for (int latest : new int[] {1, 300}) {
            long before = chunks();
            Process child = start(arguments.toArray(String[]::new));
            while (child.isAlive() && chunks() <= before) {
                child.waitFor(5, TimeUnit.MILLISECONDS);
            }
            boolean ended = child.waitFor(1 + random.nextInt(latest), TimeUnit.MILLISECONDS);
            assertThat(ended && latest == 1).as("ended before it was killed").isFalse();
            child.destroyForcibly().waitFor();
            arguments.add("--resume");
        }
        imports.resume = true;
        return imports.one(file);
    }

    private static long chunks() {
        return exists("stress_progress.stress_import_chunks") ? count("stress_progress.stress_import_chunks") : 0;
    }

    @Test
    void resumesAfterKillsAtRandomMoments() throws Exception {
        assertThat(killedAndResumed(imports.write("killed", Imports.wide(DOCUMENTS, i -> i)))
                        .fault())
                .isEmpty();

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
        Imports again = new Imports(to, directory);
        Path file = again.write("whole", Imports.wide(DOCUMENTS, i -> i));
        String tables = "select coalesce(string_agg(relname, ' ' order by relname), '') from pg_class"
                + " where relkind = 'r' and relnamespace = 'public'::regnamespace";
        for (int kill = 0; kill < 2; kill++) {
            Process child = start(Runs.words(
                    "import %s --url %s -q --jobs 2 --atomic --verify --primary-key before".formatted(file, to)));
            awaitCopy(to, child);
            assertThat(child.waitFor(1 + random.nextInt(300), TimeUnit.MILLISECONDS))
                    .isFalse();
            child.destroyForcibly().waitFor();
            assertThat(TestServer.text(to, tables)).isEmpty();
        }
        again.atomic = true;
        again.verify = true;

        assertThat(again.one(file).fault()).isEmpty();

        assertThat(TestServer.number(to, "select count(distinct _id) from whole"))
                .isEqualTo(DOCUMENTS);
        assertThat(TestServer.text(to, tables)).isEqualTo("whole");
        assertThat(TestServer.number(to, "select count(*) from stress_progress.stress_import_chunks"))
                .isZero();
        assertThat(TestServer.text(to, "select string_agg(state, ' ') from stress_progress.stress_imports"))
                .isEqualTo("complete");
    }

    @Test
    void resumesAfterAKillWhileHalving() throws Exception {
        TestServer.execute(url, "create table halved (_id int, data jsonb check ((data->>'n')::int % 1000 <> 7))");
        int documents = 50_000;
        Path file = imports.write("halved", Imports.numbered(documents, i -> i));
        imports.ifExists = IfExists.APPEND;
        imports.maxRejects = 200;

        assertThat(killedAndResumed(file, "--if-exists", "append", "--max-rejects", "200")
                        .fault())
                .isEmpty();

        assertThat(count("halved")).isEqualTo(documents - 50);
        assertThat(number("select count(distinct _id) from halved")).isEqualTo(documents - 50);
        assertThat(Files.readAllLines(directory.resolve("halved.rejects.json")).stream()
                        .distinct())
                .hasSize(50);
        imports.resume = false;
        assertThat(imports.one(directory.resolve("halved.rejects.bson")).rows()).isEqualTo(50);
    }

    /** A kill may come too late. */
    @Test
    void doesNotRepeatACompleteImport() throws Exception {
        TestServer.execute(url, "create table complete (_id int, data jsonb)");
        Path file = imports.write("complete", Imports.numbered(100, i -> i));
        imports.ifExists = IfExists.APPEND;
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
        long loaded = count("cut");
        assertThat(loaded).isPositive();
        List<String> steps = new ArrayList<>();
        imports.listener = new ImportListener() {
            @Override
            public void progress(long rows, long bytesRead, long bytesTotal) {
                if (rows > 0) {
                    steps.add("loading");
                }
            }

            @Override
            public void step(String what) {
                steps.add(what);
            }
        };

        imports.resume = true;
        assertThat(imports.one(file).ratio())
                .as("the table may have space of rows that were rolled back")
                .isZero();
        assertThat(steps)
                .containsSubsequence(
                        String.format(
                                Locale.ROOT,
                                "taken over: 0 complete tables, and %,d documents in 1 other table",
                                loaded),
                        "loading");
        imports.run(file);
        assertThat(steps).contains("taken over: 1 complete table");

        assertThat(count("cut")).isEqualTo(DOCUMENTS);
        assertThat(number("select count(distinct _id) from cut")).isEqualTo(DOCUMENTS);
    }

    @Test
    void takesOverNothingOfAnotherInput() throws Exception {
        List<String> steps = stepsOfAResumedImport();
        imports.one("replaced", Imports.numbered(100, i -> i));
        assertThat(imports.one("replaced", Imports.numbered(70, i -> i)).rows()).isEqualTo(70);

        assertThat(count("replaced")).isEqualTo(70);
        assertThat(steps).contains("taken over: 0 complete tables").doesNotContain("taken over: 1 complete table");
    }

    @Test
    void tableOfADamagedInputIsNotTakenOverAsComplete() throws Exception {
        List<String> steps = stepsOfAResumedImport();
        byte[] whole = Imports.numbered(100, i -> i);
        Path cut = imports.write("cut_off", Arrays.copyOf(whole, whole.length - 5));
        imports.one(cut);
        imports.one(cut);

        assertThat(steps).contains("taken over: 0 complete tables, 1 table as far as the input could be read");
    }

    /** Imports from now on are resumed and may drop tables. */
    private List<String> stepsOfAResumedImport() {
        List<String> steps = new ArrayList<>();
        imports.resume = true;
        imports.ifExists = IfExists.DROP;
        imports.listener = new ImportListener() {
            @Override
            public void progress(long rows, long bytesRead, long bytesTotal) {}

            @Override
            public void step(String what) {
                steps.add(what);
            }
        };
        return steps;
    }

    /** A server process that is killed ends all others; what was committed but not yet written to the log is lost. */
    @Test
    @Timeout(120)
    void resumesAfterACrashOfTheServer() throws Exception {
        TestServer.execute(
                url,
                "create table crashed (_id int, data jsonb)",
                "create function crash() returns trigger language plpgsql as $$ begin execute"
                        + " format('copy (select 1) to program ''cat > /dev/null; kill -KILL %s''', pg_backend_pid());"
                        + " return new; end $$",
                "create trigger crash before insert on crashed for each row when (new._id = 70000)"
                        + " execute function crash()");
        imports.ifExists = IfExists.APPEND;
        Path file = imports.write("crashed", Imports.wide(DOCUMENTS, i -> i));
        try (Connection other = DriverManager.getConnection(url)) {
            assertThatThrownBy(() -> imports.run(file))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("--resume");
            while (other.isValid(1)) { // until then, the server has not noticed its crash
                Thread.onSpinWait();
            }
        }
        while (!answers()) {
            Thread.onSpinWait();
        }
        TestServer.execute(url, "drop trigger crash on crashed");
        imports.resume = true;

        assertThat(imports.one(file).skipped()).isPositive();

        assertThat(count("crashed")).isEqualTo(DOCUMENTS);
        assertThat(number("select count(distinct _id) from crashed")).isEqualTo(DOCUMENTS);
    }

    private static boolean answers() {
        try {
            return number("select 1") == 1;
        } catch (IllegalStateException | TargetException e) {
            return false; // it recovers
        }
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
        imports.ifExists = IfExists.APPEND;
        imports.one("foreign_begin", Imports.numbered(10, i -> i));
        TestServer.execute(
                url,
                "update stress_progress.stress_imports set state = 'loading', " + difference
                        + " where target = 'public.foreign_begin'",
                "insert into stress_progress.stress_import_chunks values ('public.foreign_begin', 0, 10, false, 0)");
        long rows = count("foreign_begin");
        imports.resume = true;

        assertThatThrownBy(() -> imports.one("foreign_begin", Imports.numbered(10, i -> i)))
                .hasMessageContaining("another input, or was started by another version")
                .hasMessageContaining("--if-exists drop or truncate");
        assertThat(count("foreign_begin")).isEqualTo(rows);
    }
}
