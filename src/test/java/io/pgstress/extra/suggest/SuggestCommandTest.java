package io.pgstress.extra.suggest;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.Documents;
import io.pgstress.cli.Ended;
import io.pgstress.importer.table.ServerName;
import io.pgstress.result.Rehearsal.ProfilePart;
import io.pgstress.testing.NamedPipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code stress suggest}: what it says, and what it keeps to itself. */
final class SuggestCommandTest {
    @TempDir
    private Path directory;

    private ProfiledDump dump;

    @BeforeEach
    void makeDump() throws IOException {
        dump = new ProfiledDump(directory.resolve("dump"))
                .collection("orders", ProfiledDump.orders(20), "{\"indexes\": []}");
    }

    private Ended suggest(String... options) throws IOException {
        return Ended.stress("suggest " + dump.write(), String.join(" ", options));
    }

    @Test
    void valuesOfTheProfileStayThereUnlessAskedFor() throws IOException {
        dump.find(
                        2,
                        "\"filter\": {\"name\": \"secret\", \"address\": {\"secret\": 1}, \"at\": {\"$in\":"
                                + " [\"secret\", 2]}}")
                .find(2, "\"filter\": {\"$where\": \"secret\"}")
                .find(2, "\"filter\": {\"name\": {\"$regex\": \"sec(ret)\"}}")
                .update(2, "{\"a\": \"secret\"}", "{\"$set\": {\"b\": \"secret\", \"a.$.b\": \"secret\"}}", false)
                .update(
                        2,
                        "{\"a\": \"secret\"}",
                        "{\"$set\": {\"b\": \"secret\"}, \"$pull\": {\"c\": \"secret\"}}",
                        true)
                .command(
                        2,
                        "{\"aggregate\": \"orders\", \"pipeline\": [{\"$match\": {\"a\": \"secret\"}}, {\"$out\":"
                                + " \"secret\"}]}");

        Ended without = suggest();
        Ended with = suggest("--values");

        assertThat(without.code()).isZero();
        assertThat(without.out())
                .doesNotContain("sec(", "secret\"", "10.0.0.9")
                .contains("No values of the profile are in this file")
                .contains("# - 2 entries: $where: find filter: {$where: ?}")
                .contains("# - 2 entries: the stage $out: aggregate pipeline: [{$match: {a: ?}}, {$out: ?}]");
        assertThat(with.out()).contains("secret\"", "Comments show values of the profile (--values).");
    }

    @Test
    void orderThatDiffersFromMongoDbsIsToldInAComment() throws IOException {
        String document =
                "{\"_id\": %d, \"at\": {\"$date\": {\"$numberLong\": \"%d\"}}, \"price\": {\"$numberDecimal\": \"1\"}}";
        dump = new ProfiledDump(directory.resolve("odd"))
                .collection(
                        "orders",
                        List.of(document.formatted(1, -1), document.formatted(2, 1_600_000_000_000L)),
                        "{\"indexes\": []}")
                .find(2, "\"filter\": {\"at\": {\"$gte\": {\"$date\": 5}}}, \"sort\": {\"price\": 1}");

        assertThat(suggest().out())
                .contains("  # not in MongoDB's order by at: it has values other than dates of the years 1970 to 9999")
                .contains("  # not in MongoDB's order by price: decimals are stored as");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "-1388534400000 | \"filter\": {}, \"sort\": {\"at\": -1}, \"limit\": 2",
                "-62135596800000 | \"filter\": {\"at\": {\"$lt\": {\"$date\": 5}}}",
                "253402300800000 | \"filter\": {\"at\": {\"$gt\": {\"$date\": 5}, \"$lte\": {\"$date\": 9}}}"
            })
    void datesOutsideTheYearsOfTextAreNotInOrder(long odd, String query) throws IOException {
        String document = "{\"_id\": %d, \"at\": {\"$date\": {\"$numberLong\": \"%d\"}}}";
        dump = new ProfiledDump(directory.resolve("odd_dates"))
                .collection(
                        "orders",
                        List.of(document.formatted(1, 1_600_000_000_000L), document.formatted(2, odd)),
                        "{\"indexes\": []}")
                .find(2, query);

        assertThat(suggest().out())
                .contains("  # not in MongoDB's order by at: it has values other than dates of the years 1970 to 9999");
    }

    @Test
    void documentsOfMongoexportAreReadLikeThoseOfMongodump() throws IOException {
        dump.find(2, "\"filter\": {\"at\": {\"$gte\": {\"$date\": 5}}}");
        String before = suggest().out();
        Path shop = dump.root().resolve("shop");
        Files.delete(shop.resolve("orders.bson"));
        Files.writeString(
                shop.resolve("orders.json"), ProfiledDump.orders(20).stream().collect(joining(",", "[", "]")));

        assertThat(suggest().out()).isEqualTo(before).contains("data -> 'at' ->> '$date'");
    }

    @Test
    void keepsAFileThatExists() throws IOException {
        dump.find(1, "\"filter\": {\"customer\": 1}");
        Path file = Files.writeString(directory.resolve("mine.yaml"), "mine");

        Ended refused = suggest("--output " + file);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("--output: " + file + " exists; name another file, or replace it with --force");
        assertThat(file).hasContent("mine");
        assertThat(suggest("--output " + file + " --force").err()).contains("stress: wrote " + file + "\n");
        assertThat(file).content().contains("find_by_customer:");
    }

    @Test
    void withoutAProfileIndexesAreTheGuess() throws IOException {
        dump.collection("orders", ProfiledDump.orders(30), """
            {"indexes": [{"v": {"$numberInt": "2"}, "key": {"_id": {"$numberInt": "1"}}, "name": "_id_"},
             {"v": 2, "key": {"customer": 1.0, "at": -1}, "name": "a"}, {"key": {"status": "hashed"}, "name": "b"},
             {"key": {"name": "text"}, "name": "c"}, {"key": {"$**": 1}, "name": "d"}]}
            """);

        Ended ended = suggest();

        assertThat(ended.code()).isZero();
        assertThat(ended.err()).contains("shop.orders: 4 operations, 2 shapes not translated; there is no profile");
        assertThat(ended.out())
                .contains("The dump has no system.profile of it: these operations\n"
                        + "# are guesses from its indexes, with equal weights.")
                .contains("--op find_by_id:1,find_by_at_customer:1,find_by_at_customer_sorted:1,find_by_status:1\n")
                .contains("where rtrim(data -> 'at' ->> '$date', 'Z') <= rtrim(:at::text, 'Z')\n"
                        + "          and data -> 'customer' = :customer\n        order by"
                        + " rtrim(data -> 'at' ->> '$date', 'Z') desc\n        limit 20")
                .contains("# - an index of type text does not tell which queries it serves: index on name")
                .contains("# - a wildcard index does not tell which queries it serves: index on $**");
    }

    @Test
    void saysIfTheProfileHasOnlySlowOperations() throws IOException {
        dump.slow(104).find(3, "\"filter\": {\"customer\": 1}");

        assertThat(suggest().out())
                .contains("# Every entry took at least 104 ms: at profiling level 1, the profile has only slow"
                        + " operations")
                .contains(
                        "  # 3 entries (100.0%); median 105 ms, 95% within 106 ms; 5.0 documents each, 7.0 examined\n");
    }

    @Test
    void takesTheBusiestCollectionAndNamesTheOthers() throws IOException {
        dump.find(3, "\"filter\": {\"customer\": 1}")
                .entry(1, "query", "users", "{\"find\": \"users\", \"filter\": {\"a\": 1}}", "\"nreturned\": 1");

        assertThat(suggest().err())
                .contains("shop.users is not included, with 1 entry: select it with --db and --collection")
                .contains("shop.orders: 1 operation, 0 shapes not translated");
        assertThat(suggest("--collection users").err())
                .contains("the dump has no documents of users")
                .contains("shop.users: 1 operation,");
    }

    @Test
    void whatIsNotInTheFileIsCounted() throws IOException, InterruptedException {
        Path root = dump.find(3, "\"filter\": {\"customer\": 1}")
                .find(2, "\"filter\": {\"$where\": \"secret\"}")
                .entry(4, "query", "users", "{\"find\": \"users\", \"filter\": {\"a\": 1}}", "\"nreturned\": 1")
                .write();

        assertThat(Suggestion.of(root, List.of(), any -> true).part())
                .isEqualTo(new ProfilePart(9, 2, Map.of("shop.users", 4L)));
        Suggestion other =
                Suggestion.of(root, List.of(), each -> each.collection().equals("users"));
        assertThat(other.namespace()).isEqualTo("shop.users");
        assertThat(other.part()).isEqualTo(new ProfilePart(4, 0, Map.of()));
    }

    @Test
    void everyNameOfAFieldSurvives() throws IOException {
        dump.find(
                1,
                "\"filter\": {\"a\\nb: #'\\\"\\\\\\u2028${x}:y?\": 1, \"null\": 2, \"true\": 5, \"\": 3, \"é 1\": 4}");

        String yaml = suggest().out();

        assertThat(yaml)
                .contains("data -> E'a\\u000Ab: #\\'\"\\\\\\u2028\\u0024{x}:y?' = :a_b_x_y")
                .contains("    a_b_x_y: {path: \"a\\u000Ab: #'\\\"\\\\\\u2028${x}:y?\", as: json")
                .contains("data -> 'é 1' = :v_1")
                .contains("v_null: {path: \"null\", as: json", "v_true: {path: \"true\", as: json");
    }

    /** A name that the import shortens or changes; the command is to be pasted into a shell. */
    @Test
    void theTableIsTheOneThatAnImportMakes() throws IOException {
        String name = "x".repeat(70);
        dump.collection(name, ProfiledDump.orders(5), "{\"indexes\": []}");
        dump.collection("it's", ProfiledDump.orders(5), "{\"indexes\": []}");

        assertThat(suggest("--collection " + name).out())
                .contains(" --table '" + ServerName.shortened(name, 36) + "' --operations ");
        assertThat(Ended.ofWords("suggest", dump.write().toString(), "--collection", "it's")
                        .out())
                .contains(" --table 'it'\\''s' --operations ");

        Path other = Files.createDirectories(dump.write().resolve("other"));
        Files.copy(dump.write().resolve("shop/orders.bson"), other.resolve("orders.bson"));
        assertThat(suggest("--collection orders --db shop").out()).contains(" --table shop.orders --operations ");
    }

    @Test
    void inputThatCannotBeReadIsAnError() throws IOException {
        Path file = Path.of("src/test/resources/dumps/git-lfs/dump/gene/genes.bson");
        assertThat(Ended.stress("suggest src/test/resources/dumps/git-lfs/dump"))
                .isEqualTo(new Ended(4, "", "stress: " + file + " is a Git LFS pointer; run git lfs pull\n"));
        Path profile = Files.writeString(dump.write().resolve("shop/system.profile.bson"), "no BSON");
        Ended ended = suggest("--collection orders");
        assertThat(ended.code()).isEqualTo(4);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).isEqualTo("stress: " + profile + " is text: \"no BSON\"\n");
    }

    @Test
    void missingDumpIsOneLine() {
        assertThat(Ended.stress("suggest no/such/dump"))
                .isEqualTo(new Ended(2, "", "stress: no/such/dump: no such file or directory\n"));
    }

    /** Like {@code suggest <(cat orders.bson)}. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a pipe that is read twice blocks for good
    void pipeIsReadLikeAFile() throws Exception {
        Path file = directory.resolve("stdin.bson");
        Files.write(file, Documents.concat(Documents.sized(1, 30), Documents.sized(2, 40)));
        Path pipe = directory.resolve("pipe");
        CompletableFuture<Path> writer = NamedPipe.of(pipe, Files.readAllBytes(file));

        Ended ofPipe = Ended.stress("suggest " + pipe);

        assertThat(ofPipe.code()).as(ofPipe.err()).isZero();
        assertThat(operations(ofPipe)).isEqualTo(operations(Ended.stress("suggest " + file)));
        assertThat(writer.get(60, TimeUnit.SECONDS)).isEqualTo(pipe);
    }

    /** Without the comment in front, which names the dump. */
    private static String operations(Ended of) {
        return of.out().substring(of.out().indexOf("\nfind_by_id:"));
    }
}
