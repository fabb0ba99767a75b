package io.pgstress.cli;

import static io.pgstress.cli.CommandLineTest.assertOneLine;
import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Documents;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code stress import}: exit codes, and what it says. */
@Slow
final class ImportCommandTest {
    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeDatabase() {
        url = TestServer.freshDatabase("cli_import");
        stress("import datasets/sample --collection orders --schema first -q --url "
                + url); // creates the progress tables
    }

    @Test
    void emptyFileBecomesAnEmptyTableWithANote() throws IOException {
        Path file = Files.createFile(directory.resolve("nothing.bson"));
        Files.writeString(directory.resolve("nothing.metadata.json"), "{}");

        Ended ended = stress("import %s --url %s -q".formatted(file, url));

        assertThat(ended.out())
                .contains("Imported 0 rows into 1 table", "the input has no documents")
                .endsWith("\n0 rows, 0 rows/s, 0 rejects\n");
        assertThat(ended.code()).isZero();
        assertThat(TestServer.number(url, "select count(*) from nothing")).isZero();
    }

    @Test
    void junitHasACasePerCollectionAndOneForRejects() throws IOException {
        Path junit = directory.resolve("import.xml");
        Ended ended = stress("import datasets/sample --collection orders --schema junit_import --url %s -q --junit %s"
                .formatted(url, junit));

        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.err()).doesNotContain("wrote");
        assertThat(Files.readString(junit))
                .contains("<testsuite name=\"import\"", "failures=\"0\" errors=\"0\"")
                .contains(
                        "<testcase name=\"stress.orders into junit_import.orders\"",
                        "<testcase name=\"--max-rejects 0\"");
    }

    @Test
    void nextCommandNamesTheUserOnce() {
        Ended ended = stress("import datasets/sample --collection orders --schema once -q --user postgres --url " + url
                + (url.contains("?") ? "&" : "?") + "user=postgres");

        assertThat(ended.out())
                .contains("To run a load on it:", "user=postgres")
                .doesNotContain("--user");
    }

    @Test
    void incompleteImportFailsItsCase() throws IOException {
        Path file = Files.writeString(directory.resolve("cut.bson"), "\20\0\0\0cut");
        Path junit = directory.resolve("cut.xml");
        Ended ended = stress("import %s --url %s -q --junit %s".formatted(file, url, junit));

        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DATA);
        assertThat(Files.readString(junit)).contains("errors=\"1\"", "<error type=\"incomplete\" message=\"");
    }

    /** The server says how many rows it took. */
    @Test
    void rowsThatATriggerDiscardsMakeAnImportIncomplete() {
        String own = TestServer.freshDatabase("cli_discards");
        TestServer.execute(
                own,
                "create table orders (_id text primary key, data jsonb)",
                "create function drop_some() returns trigger language plpgsql as"
                        + " 'begin if new.data ? ''_id'' and random() < 0.5 then return null; end if; return new; end'",
                "create trigger drop_some before insert on orders for each row execute function drop_some()");
        Ended ended = stress("import datasets/sample/stress/orders.bson.gz -q --if-exists append --url " + own);

        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DATA);
        assertThat(ended.out()).contains("the server discarded ", " without an error: look for a trigger or a rule");
    }

    @Test
    void failedImportDoesNotSayThatItWasReadCompletely() {
        String full = TestServer.freshDatabase("cli_full");
        TestServer.execute(
                full,
                "create table orders (_id text primary key, data jsonb)",
                "create function full_disk() returns trigger language plpgsql as"
                        + " 'begin raise exception ''no'' using errcode = ''53100''; end'",
                "create trigger full_disk before insert on orders for each row execute function full_disk()");
        Ended ended = stress("import datasets/sample/stress/orders.bson.gz --if-exists append --url " + full);

        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(ended.err()).contains("loaded 0 rows").doesNotContain("importing");
    }

    @Test
    void unknownServerIsToldWhichAreSupported() {
        String odd = TestServer.freshDatabase("cli_unknown");
        TestServer.execute(
                odd,
                "create function version() returns text language plpgsql as"
                        + " 'begin raise exception ''no'' using errcode = ''0A000''; end'",
                "alter database cli_unknown set search_path = public, pg_catalog");

        assertThat(stress("import datasets/sample -q --url " + odd).err())
                .endsWith("(SQLSTATE 0A000); " + Dialects.SUPPORTED + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"datasets/sample", "datasets/sample --jobs 2 --verify", "datasets/sample/stress/orders.bson.gz"})
    void importsAllOrNothing(String arguments) {
        String atomic = TestServer.freshDatabase("cli_atomic");
        Ended ended = stress("import --url %s --atomic -q --rejects %s".formatted(atomic, directory), arguments);

        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(TestServer.number(atomic, "select count(*) from orders")).isPositive();
    }

    /** Every option that needs no other kind of server, as a user gives it, and not only where it is refused. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--include stress.o* --exclude *.check_in --system --key-type text",
                "--collection orders --db stress --table renamed_orders",
                "--rename stress.orders=stress.bills --schema archive",
                "--extended-json canonical --max-depth 50 --nul strip --invalid-utf8 replace --duplicate-keys reject --missing-id generate",
                "--jobs 3 --primary-key before --if-exists append",
                "--if-exists truncate --on-duplicate skip --verify",
                "--if-exists drop --on-duplicate replace --atomic",
                "--progress-schema import_progress --resume",
                "--indexes create --max-rejects 3 --json - --verbose",
                "--indexes none --target postgres --user postgres"
            })
    void importsWith(String options) {
        String to = TestServer.freshDatabase("cli_options");
        Ended ended = stress("import datasets/sample --url %s -q --rejects %s".formatted(to, directory), options);

        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(TestServer.number(
                        to, "select count(*) from pg_class where relkind = 'r' and relname ~ 'orders|bills|check_in'"))
                .isPositive();
    }

    @Test
    void importReportsWhereAFileIsNotBson() throws IOException {
        Path file = directory.resolve("notes.bson");
        Files.writeString(file, "this is no BSON at all");

        Ended ended = stress("import %s --url %s -q --rejects %s".formatted(file, url, directory));

        assertThat(ended.code()).isEqualTo(ExitCode.DATA);
        assertThat(ended.out()).contains("notes.bson is text: \"this is no BSON at all\"");
        assertThat(ended.out().lines().reduce((a, b) -> b).orElse(""))
                .isEqualTo("0 rows, 0 rows/s, 0 rejects: not everything was imported");
        assertThat(ended.err()).contains("stress: not everything was imported: ", "notes is not complete");
        assertThat(TestServer.text(url, "select to_regclass('notes') is null")).isEqualTo("t");
    }

    @Test
    void duplicatesAreToldBesideRejects() throws IOException {
        Path dump = Files.write(directory.resolve("twice.bson"), Documents.of(10, (w, i) -> w.int32("_id", i / 2)));

        Ended ended = stress("import %s --url %s -q --on-duplicate skip --rejects %s".formatted(dump, url, directory));

        assertThat(ended.out()).contains("failures    0 rejects, 5 duplicates\n", ", 0 rejects, 5 duplicates\n");
    }

    /** All rows are there; what is wrong is that one of them is another. */
    @Test
    void tableThatDiffersFromItsInputIsNotCalledIncomplete() throws IOException {
        TestServer.execute(
                url,
                "create table altered (_id int primary key, data jsonb)",
                "create function spoil() returns trigger language plpgsql as $$ begin"
                        + " if new._id = 7 then new.data = jsonb_set(new.data, '{a}', '8'); end if; return new; end $$",
                "create trigger spoil before insert on altered for each row execute function spoil()");
        Path file = directory.resolve("altered.json");
        Files.writeString(file, "{\"_id\":7,\"a\":7}\n{\"_id\":8,\"a\":8}\n");

        Ended ended = stress(
                "import %s --url %s -q --if-exists append --verify --rejects %s".formatted(file, url, directory));

        assertThat(ended.code()).isEqualTo(ExitCode.DATA);
        assertThat(ended.out())
                .endsWith("0 rejects: tables differ from the input\n")
                .contains("1 differ from the input");
        assertThat(ended.err()).contains("stress: tables differ from the input: ", ".altered differs\n");
    }

    @Test
    void metadataWithoutTheirFileEndWithExitCode4() throws IOException {
        Path dump = Files.createDirectory(directory.resolve("half"));
        Files.createFile(dump.resolve("there.bson"));
        Files.writeString(dump.resolve("there.metadata.json"), "{}");
        Files.writeString(dump.resolve("lost.metadata.json"), "{}");

        Ended ended = stress("import %s --url %s -q --rejects %s".formatted(dump, url, directory));

        assertThat(ended.code()).isEqualTo(ExitCode.DATA);
        assertThat(ended.out())
                .contains("error: lost: nothing was imported. " + dump.resolve("lost.bson") + " is missing, although");
        assertThat(ended.err()).contains("half.lost is not complete");
        assertThat(TestServer.number(url, "select count(*) from there")).isZero();
        assertThat(TestServer.text(url, "select to_regclass('lost') is null")).isEqualTo("t");
    }

    @Test
    void summaryOfSeveralDatabasesNamesEachTableOnceAndEachNoteOnce() throws IOException {
        for (String name : List.of("hot.teas", "cold.teas", "cold.juices")) {
            Path file = directory.resolve("drinks").resolve(name.replace('.', '/') + ".json");
            Files.createDirectories(file.getParent());
            Files.writeString(file, "{\"_id\":1}");
        }

        Path junit = directory.resolve("drinks.xml");
        Ended ended = stress("import %s --url %s --indexes create --rejects %s --junit %s"
                .formatted(directory.resolve("drinks"), TestServer.freshDatabase("cli_drinks"), directory, junit));

        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.err())
                .as("nothing that concerns the work stands between the work and its result")
                .containsSubsequence(
                        "the import creates, for --resume, stress_progress.stress_imports and stress_progress.stress_import_chunks\n",
                        "finishing 3 tables",
                        "stress: wrote " + junit + "\n");
        assertThat(ended.out())
                .contains("note: cold.juices, cold.teas, hot.teas: indexes: unknown, because")
                .containsOnlyOnce("indexes: unknown")
                .doesNotContain("collection");
    }

    @Test
    void anIndexThatCannotBeCreatedEndsWithExitCode4() throws IOException {
        Path dump = Files.createDirectory(directory.resolve("indexed"));
        ByteSink documents = new ByteSink(100);
        BsonWriter writer = new BsonWriter(documents);
        for (int i = 0; i < 3; i++) {
            writer.document().int32("_id", i).int32("a", i / 2).end();
        }
        Files.write(dump.resolve("doubled.bson"), documents.toByteArray());
        Files.writeString(
                dump.resolve("doubled.metadata.json"),
                "{\"indexes\":[{\"key\":{\"a\":1},\"name\":\"a_1\",\"unique\":true},{\"key\":{\"a\":-1},\"name\":\"a_-1\"}]}");

        Ended ended = stress("import %s --url %s -q --indexes create".formatted(dump, url));

        assertThat(ended.code()).isEqualTo(ExitCode.DATA);
        assertThat(ended.err())
                .contains("stress: not everything was imported: index a_1 of doubled is missing: rows with the same"
                        + " values: _id 0, 1; correct that");
        assertThat(ended.out())
                .contains(
                        "indexes of indexed.doubled",
                        "  a_1 {a: 1}, unique",
                        "    doubled_a_1: unique btree ((data -> 'a'))")
                .contains("  a_-1 {a: -1}", "      created, ");
        assertThat(TestServer.number(url, "select count(*) from doubled")).isEqualTo(3);
    }

    /** Known only once the rows are there: they are imported, and the exit code tells scripts of the indexes. */
    @ParameterizedTest
    @ValueSource(strings = {"create", "report"})
    void damagedMetadataLeaveTheIndexesOut(String indexes) throws IOException {
        Path dump = Files.createDirectory(directory.resolve("damaged"));
        Files.createFile(dump.resolve("cut.bson"));
        Files.writeString(dump.resolve("cut.metadata.json"), "{\"indexes\":[{\"key\":{\"a\":1},\"na");

        Ended ended = stress("import %s --url %s -q --indexes %s --if-exists drop".formatted(dump, url, indexes));

        String why = "its metadata are not valid JSON (line 1, column ";
        assertThat(ended.out()).contains("indexes: unknown, because " + why).doesNotContain("Source");
        assertThat(ended.code()).isEqualTo(indexes.equals("create") ? ExitCode.DATA : ExitCode.DONE);
        if (indexes.equals("create")) {
            assertThat(ended.err())
                    .contains("stress: not everything was imported: the indexes of cut are missing: " + why)
                    .doesNotContain("Source");
        }
    }

    @Test
    void aDirectoryThatIsNoDumpIsToldInOneShortLine() throws IOException {
        Path other = Files.createDirectory(directory.resolve("other"));
        for (int i = 0; i < 100; i++) {
            Files.createFile(other.resolve("file" + i));
        }

        Ended ended = stress("import %s --url %s -q".formatted(other, url));

        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("there is no collection to import", ", and 95 more (not a dump file)");
        assertThat(ended.err().split("not imported: ", -1)).hasSize(2);
    }

    /** Nothing interrupted it. */
    @Test
    void completeImportThatIsRepeatedIsNotSaidToHaveBeenInterrupted() {
        String line =
                "import datasets/sample -q --collection orders --resume --url " + TestServer.freshDatabase("cli_twice");
        assertThat(stress(line).code()).isZero();

        assertThat(stress(line).out())
                .contains("nothing left to do", "600 documents had been imported before\n")
                .doesNotContain("interruption");
    }

    /** The statement in docs/bson-to-jsonb.md. */
    @Test
    void theGeneratedColumnOfTheDocsHasAValueInEachRowOfTheSample() throws IOException {
        String to = TestServer.freshDatabase("cli_generated");
        String page = Files.readString(Path.of("docs/bson-to-jsonb.md"));
        Matcher statement = Pattern.compile("alter table [^;]*;").matcher(page);
        assertThat(statement.find()).isTrue();

        Ended ended = stress("import datasets/sample --url %s -q --collection orders".formatted(to));
        TestServer.execute(to, statement.group());

        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(TestServer.number(to, "select count(total) from orders where total > 0"))
                .isEqualTo(600);
    }

    /** Whatever is selected, because the tables lack the operations either way. */
    @Test
    void anOplogOfTheDumpIsNotAppliedAndOneLineSaysSo() throws IOException {
        Path dump = Files.createDirectories(directory.resolve("changes/db"));
        Files.createFile(dump.resolve("changed.bson"));
        Files.writeString(dump.resolve("changed.metadata.json"), "{}");
        Files.createFile(dump.resolveSibling("oplog.bson"));

        Ended ended = stress("import %s --url %s -q --db db --include db.changed".formatted(dump.getParent(), url));

        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out().replaceAll("\\s+", " "))
                .containsOnlyOnce("oplog")
                .contains("note: not imported: oplog (the tables are as mongodump read them; operations made during the"
                        + " dump are not applied)");
    }

    @Test
    void aDumpOfOnlyAnOplogHasNothingToImport() throws IOException {
        Path dump = Files.createDirectory(directory.resolve("onlyChanges"));
        Files.createFile(dump.resolve("oplog.bson"));

        Ended ended = stress("import %s --url %s -q".formatted(dump, url));

        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("there is no collection to import", "not imported: oplog (");
    }

    @Test
    void severalDumpsHaveALineEach() throws IOException {
        for (String name : List.of("left", "right")) {
            Path dump = Files.createDirectories(directory.resolve(name + "/db"));
            Files.createFile(dump.resolve(name + ".bson"));
            Files.writeString(dump.resolve(name + ".metadata.json"), "{}");
        }
        String left = directory.resolve("left").toString();
        String right = directory.resolve("right").toString();

        Ended ended = stress("import %s %s --url %s --rename *.right=*.other".formatted(left, right, url));

        assertThat(ended.code()).isZero();
        assertThat(ended.err()).doesNotContain("for --resume");
        assertThat(ended.err().lines().filter(each -> each.contains("finishing")))
                .as("one line, however many tables there are")
                .singleElement()
                .asString()
                .endsWith("finishing 2 tables");
        assertThat(ended.out())
                .containsPattern("\nother +db.right ")
                .contains(
                        left + ": 0 rows in 1 table, 0 rejects, 0.0 MB of BSON\n",
                        right + ": 0 rows in 1 table, 0 rejects, 0.0 MB of BSON\n");
        assertOneLine(
                stress("import %s %s --url %s -q --table t".formatted(left, right, url)),
                ExitCode.USAGE,
                "--table names one table, but there are 2 collections");
        assertOneLine(
                stress("import %s --url %s --include db".formatted(left, url)),
                ExitCode.USAGE,
                "--include: must be DATABASE.COLLECTION");
    }

    @Test
    void whatStaysForResumeIsToldOnceAlsoWithoutProgress() {
        Ended ended =
                stress("import datasets/sample --collection orders -q --url " + TestServer.freshDatabase("cli_stays"));

        assertThat(ended.err().lines())
                .containsExactly(
                        "stress: the import creates, for --resume, stress_progress.stress_imports and stress_progress.stress_import_chunks");
    }

    @Test
    void commandForALoadIsOnStderrIfStdoutIsJson() {
        Ended ended = stress("import datasets/sample --collection orders --schema for_load -q --json - --url " + url);

        assertThat(Json.readMap(ended.out())).containsKey("collections");
        assertThat(ended.err()).contains("\nTo run a load on it:\n  stress --url ", " --table for_load.orders\n");
        assertThat(ended.err().lines().reduce((a, b) -> b).orElse("")).endsWith(", 0 rejects");
    }

    /** It is run as a shell would read it. The last line is the result. */
    @ParameterizedTest
    @ValueSource(strings = {"fs.files", "a.b.c", "q\"uote", "it's", "plain"})
    void proposedCommandRunsOnTheTable(String collection) throws Exception {
        Path file = directory.resolve("some.bson");
        assertThat(stress("generate " + directory.resolve("d") + " --count 50 --collection some")
                        .code())
                .isZero();
        try (Stream<Path> files = Files.walk(directory.resolve("d"))) {
            Files.copy(
                    files.filter(f -> f.toString().endsWith(".bson.gz"))
                            .findFirst()
                            .orElseThrow(),
                    file);
        }

        Ended ended = Ended.ofWords("import", file.toString(), "--collection", collection, "--url", url, "-q");

        List<String> lines = ended.out().lines().toList();
        assertThat(lines.get(lines.size() - 1)).startsWith("50 rows, ").endsWith(", 0 rejects");
        String command = lines.get(lines.size() - 3);
        assertThat(command).startsWith("  stress --url ");
        Process shell = new ProcessBuilder("sh", "-c", command.replaceFirst("stress", "printf '%s\\\\n'")).start();
        List<String> words = new ArrayList<>(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList());
        words.addAll(List.of("--warmup", "0", "--duration", "0.1", "-q"));
        // so short a run may be judged not valid
        assertThat(Ended.ofWords(words.toArray(String[]::new)).out())
                .contains("find_first on " + collection, ": 50 rows", "all ids drawn, uniform", " ops/s");
    }

    @Test
    void importsGeneratedDumpsCompletely() {
        Path dump = directory.resolve("dump");
        assertThat(stress("generate " + dump + " --count 5000").code()).isZero();
        assertThat(stress("generate " + dump + " --shape large --collection orders --count 300")
                        .code())
                .isZero();

        Ended ended = stress("import %s --url %s -q --jobs 2".formatted(dump, url));

        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
        assertThat(TestServer.number(url, "select count(*) from check_in where data->>'_id' = _id::text"))
                .isEqualTo(5000);
        assertThat(TestServer.number(url, "select count(*) from orders where data->'_id'->>'$oid' = _id"))
                .isEqualTo(300);
        assertThat(
                        TestServer.number(
                                url,
                                "select count(*) from stress_progress.stress_imports where target in ('public.check_in', 'public.orders')"))
                .isEqualTo(2);
        assertThat(stress("--url " + url + " -t orders --warmup 0 -T 0.3 -q" + Runs.ON_A_BUSY_MACHINE)
                        .code())
                .isZero();
        assertOneLine(
                stress("import %s --url %s -q --collection orders".formatted(dump, url)),
                ExitCode.TARGET,
                "orders",
                "exists");
    }
}
