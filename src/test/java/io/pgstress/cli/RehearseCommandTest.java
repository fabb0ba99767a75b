package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.Documents;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Comparison;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Rehearsal.Answer;
import io.pgstress.result.Rehearsal.RehearsedOperation;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.testing.ResultSchema;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stress rehearse} answers what was planted, and nothing else. */
@Slow
final class RehearseCommandTest {
    private static final int DOCUMENTS = 5_000;

    /** Short, and with few clients for a busy machine. */
    private static final String SHORT = " -T 1s --interval 100ms --warmup-limit 200ms --drain 300ms --limit ";

    private static final String KEPT = SHORT + "p50<1s";

    /** A search that ends soon, because no rate keeps its limit. */
    private static final String BROKEN = SHORT + "p50<1us";

    private static final String CUSTOMER = "{\"find\": \"orders\", \"filter\": {\"customer\": 5}, \"$db\": \"shop\"}";
    private static final String CITY = "{\"find\": \"orders\", \"filter\": {\"city\": \"c1\"}, \"$db\": \"shop\"}";
    private static final String UPDATE = "{\"q\": {\"_id\": 7}, \"u\": {\"$set\": {\"n\": 3}}, \"multi\": false}";

    @TempDir
    private Path directory;

    private String url = "";
    private Path json = Path.of("");

    @BeforeEach
    void emptyServer() {
        url = TestServer.freshDatabase("rehearse");
        json = directory.resolve("rehearsal.json");
    }

    /** A dump of orders, two of which have the same email. */
    private Path dump(String indexes, List<String> profile) throws IOException {
        return dump(DOCUMENTS, indexes, profile);
    }

    private Path dump(int documents, String indexes, List<String> profile) throws IOException {
        Path shop = Files.createDirectories(directory.resolve("dump/shop"));
        String padding = "x".repeat(200);
        Files.write(
                shop.resolve("orders.bson"),
                Documents.of(
                        documents,
                        (w, i) -> w.int32("_id", i)
                                .int32("customer", i % 500)
                                .string("city", "c" + i % 1000)
                                .string("email", "u" + Math.max(1, i))
                                .int32("n", i)
                                .string("padding", padding)));
        Files.writeString(
                shop.resolve("orders.metadata.json"),
                "{\"indexes\": [{\"key\": {\"_id\": 1}, \"name\": \"_id_\"}, {\"key\": {\"customer\": 1}, \"name\": \"customer_1\"}"
                        + indexes + "]}");
        if (!profile.isEmpty()) {
            Files.write(
                    shop.resolve("system.profile.bson"),
                    Documents.concat(profile.stream().map(Documents::ofJson).toArray(byte[][]::new)));
        }
        return shop.getParent();
    }

    /** Entries of the profiler over a minute, which took 300 ms and longer ones in MongoDB. */
    private static List<String> entries(int count, String op, String command) {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(String.format(Locale.ROOT, """
                    {"op": "%s", "ns": "shop.orders", "command": %s, "docsExamined": 40, "nreturned": 40, "millis": %d,
                     "ts": {"$date": "2025-03-01T10:00:%02d.123Z"}, "appName": "shop"}
                    """, op, command, i < 3 ? 1 : 300 + i % 50, i * 60 / count));
        }
        return entries;
    }

    private static List<String> customersAndUpdates() {
        List<String> profile = new ArrayList<>(entries(1_000, "query", CUSTOMER));
        profile.addAll(entries(200, "update", UPDATE));
        return profile;
    }

    private Ended rehearse(Path dump, String options) {
        return Ended.stress("rehearse " + dump + " --url " + url + " --json " + json + options);
    }

    private static List<RemarkCode> codes(Rehearsal rehearsal) {
        return rehearsal.because().stream().map(Remark::code).toList();
    }

    @Test
    void goesIfNothingIsPlanted() throws IOException {
        Path html = directory.resolve("r.html");
        Path markdown = directory.resolve("r.md");

        Ended ended =
                rehearse(dump("", customersAndUpdates()), KEPT + " -c 1 --html " + html + " --markdown " + markdown);

        assertThat(json).as(ended.err()).exists();
        Rehearsal found = (Rehearsal) ResultFile.read(json);
        assertThat(codes(found)).as(ended.out()).isEmpty();
        assertThat(found.answer()).isEqualTo(found.valid() ? Answer.GO : Answer.UNKNOWN);
        assertThat(ended.code()).isEqualTo(found.valid() ? ExitCode.DONE : ExitCode.NOT_VALID);
        assertThat(found.observedRate()).isNotNull().isBetween(19.0, 21.0);
        assertThat(found.rate()).isEqualTo(found.observedRate());
        assertThat(found.collections()).singleElement().satisfies(orders -> {
            assertThat(orders.documents()).isEqualTo(DOCUMENTS);
            assertThat(orders.difference()).isNull();
            assertThat(orders.missingIndexes()).isEmpty();
            assertThat(orders.size().indexBytes()).isBetween(1L, orders.size().total() - 1);
            assertThat(orders.size().heapBytes()).isPositive();
        });
        assertThat(found.operations()).hasSize(2).allSatisfy(each -> {
            assertThat(each.readsAll()).isFalse();
            assertThat(each.median()).isNotNull();
            assertThat(found.times(each.operation())).isNotNull();
        });
        assertThat(Files.readString(Path.of(found.operationsFile()))).contains("find_by_customer:");
        assertThat(new ResultSchema("rehearsal").problems(Files.readString(json)))
                .isEmpty();
        assertThat(ended.out()).contains("shop.orders", "find_by_customer");
        assertThat(Files.readString(markdown)).contains("shop.orders", "find\\_by\\_customer");
        assertThat(Files.readString(html)).contains("\"kind\":\"rehearsal\"", "\"kind\":\"rate-search\"");
    }

    @Test
    void namesWhatIsPlantedAndNothingElse() throws IOException {
        TestServer.execute(
                url,
                "create table orders (_id int primary key, data jsonb)",
                "create function spoil() returns trigger language plpgsql as $$ begin"
                        + " if new._id = 7 then new.data = jsonb_set(new.data, '{n}', '8'); end if; return new; end $$",
                "create trigger spoil before insert on orders for each row execute function spoil()",
                // in the place of the one of hypopg, which no server of the tests has
                "create sequence hypothetical",
                "create function hypopg_create_index(text) returns bigint language plpgsql as $$ begin"
                        + " execute $1; return nextval('hypothetical'); end $$");
        List<String> profile = new ArrayList<>(customersAndUpdates());
        profile.addAll(entries(1_000, "query", CITY));
        Path dump = dump(", {\"key\": {\"email\": 1}, \"name\": \"email_1\", \"unique\": true}", profile);

        Ended ended = rehearse(dump, BROKEN + " --if-exists append -c 1 --rate 6000");

        assertThat(json).as(ended.err()).exists();
        Rehearsal found = (Rehearsal) ResultFile.read(json);
        List<RemarkCode> planted = new ArrayList<>(
                List.of(RemarkCode.DOCUMENTS_DIFFER, RemarkCode.INDEX_NOT_CREATED, RemarkCode.READS_WHOLE_TABLE));
        if (found.valid()) { // on a machine that others fill, nothing follows from the rate
            planted.add(RemarkCode.RATE_NOT_REACHED);
        }
        assertThat(codes(found)).as(ended.out()).isEqualTo(planted);
        assertThat(found.answer()).isEqualTo(Answer.NO_GO);
        assertThat(ended.code()).as(ended.out()).isEqualTo(found.valid() ? ExitCode.LIMIT_BROKEN : ExitCode.NOT_VALID);
        Rehearsal.Difference difference = found.collections().get(0).difference();
        assertThat(difference).isNotNull();
        assertThat(difference.fields()).containsExactly("n");
        Ended diff =
                Ended.stress(difference.command().replaceFirst("^\\S+ ", "").replace("'", ""));
        assertThat(diff.code()).as(diff.err()).isEqualTo(ExitCode.LIMIT_BROKEN);
        assertThat(diff.out()).contains("7", "n: 7 in the dump, 8 in the table");
        RehearsedOperation city = found.operations().stream()
                .filter(each -> each.operation().equals("find_by_city"))
                .findFirst()
                .orElseThrow();
        assertThat(city.index()).singleElement().asString().contains("data -> 'city'");
        assertThat(TestServer.number(url, "select count(*) from pg_indexes where indexdef like '%city%'"))
                .isZero();
        TestServer.execute(url, city.index().get(0));
        assertThat(TestServer.number(url, "select last_value from hypothetical where is_called"))
                .isEqualTo(1);
    }

    @Test
    void comparesLayoutsThatCanMatter() throws IOException {
        Path shop = Files.createDirectories(directory.resolve("dump/shop"));
        String text = "a long text that can be compressed, ".repeat(100);
        Files.write(
                shop.resolve("orders.bson"),
                Documents.of(
                        2_000,
                        (w, i) -> w.int32("_id", i).string("city", "c" + i).string("text", text)));
        Files.write(
                shop.resolve("system.profile.bson"),
                Documents.concat(entries(600, "query", CITY).stream()
                        .map(Documents::ofJson)
                        .toArray(byte[][]::new)));
        boolean hasLz4 = TestServer.number(
                        url,
                        "select count(*) from pg_settings where name = 'default_toast_compression'"
                                + " and 'lz4' = any (enumvals)")
                > 0;

        Ended ended = rehearse(shop.getParent(), BROKEN + " -c 2 --layout");

        assertThat(json).as(ended.err()).exists();
        Rehearsal.Layouts found = ((Rehearsal) ResultFile.read(json)).layouts();
        assertThat(found).isNotNull();
        assertThat(found.layouts())
                .extracting(Rehearsal.Layout::name)
                .containsExactlyElementsOf(Stream.of("as imported", "expression indexes", "one GIN", "lz4")
                        .filter(name -> hasLz4 || !name.equals("lz4"))
                        .toList());
        assertThat(found.layouts()).allMatch(each -> each.opsPerSecond() > 0);
        assertThat(found.comparison()).isNotNull();
        RemarkCode code = found.findings().get(0).code();
        if (found.comparison().valid()) {
            assertThat(code).as(ended.out()).isIn(RemarkCode.LAYOUT_FASTER, RemarkCode.LAYOUTS_TIED);
        } else { // on a machine that others fill
            assertThat(code).isEqualTo(RemarkCode.LAYOUTS_NOT_VALID);
        }
        assertThat(found.comparison().variants())
                .extracting(Comparison.Variant::opsPerSecond)
                .satisfies(rates -> assertThat(rates.get(0)).isLessThan(Math.min(rates.get(1), rates.get(2))));
        assertThat(new ResultSchema("rehearsal").problems(Files.readString(json)))
                .isEmpty();
        assertThat(TestServer.number(url, "select count(*) from pg_namespace where nspname = 'stress_layouts'"))
                .isZero();
        Map<?, ?> hooks = (Map<?, ?>)
                Json.readMap(Files.readString(Path.of(found.scenarioFile()))).get("hooks");
        TestServer.execute(
                url,
                ((List<?>) hooks.get("setup")).stream().map(String::valueOf).toArray(String[]::new));
        assertThat(TestServer.number(
                        url,
                        "select count(*) from stress_layouts.one_gin join orders using (_id, data)"
                                + " where pg_column_compression(one_gin.data) = 'pglz'"))
                .isEqualTo(2_000);
        if (hasLz4) {
            assertThat(TestServer.number(
                            url, "select count(*) from stress_layouts.lz4 where pg_column_compression(data) = 'lz4'"))
                    .isEqualTo(2_000);
        }
    }

    @Test
    void guessesTheOperationsOfADumpWithoutAProfile() throws IOException {
        Ended ended = rehearse(dump("", List.of()), BROKEN + " -c 4 --layout");

        assertThat(json).as(ended.err()).exists();
        Rehearsal found = (Rehearsal) ResultFile.read(json);
        assertThat(found.profile()).isNull();
        assertThat(found.rate()).isNull();
        assertThat(codes(found)).contains(RemarkCode.OPERATIONS_GUESSED, RemarkCode.RATE_UNKNOWN);
        assertThat(found.operations())
                .extracting(RehearsedOperation::operation)
                .contains("find_by_id", "find_by_customer", "find_update");
        assertThat(found.operations()).allMatch(each -> each.median() == null);
        assertThat(ended.out()).contains("guesses from the indexes");
        assertThat(found.layouts()).isNotNull();
        assertThat(found.layouts().layouts())
                .extracting(Rehearsal.Layout::name)
                .containsExactly("as imported", "fillfactor 85");
        assertThat(found.layouts().layouts().get(1).size().heapBytes())
                .isGreaterThan(found.layouts().layouts().get(0).size().heapBytes() * 11 / 10);
        assertThat(TestServer.number(url, "select count(*) from pg_namespace where nspname = 'stress_layouts'"))
                .isZero();
    }

    @Test
    void namesAnOperationThatFailsAndSearchesNoRate() throws IOException {
        String noNumber = "{\"q\": {\"_id\": 7}, \"u\": {\"$inc\": {\"city\": 1}}, \"multi\": false}";

        Ended ended = rehearse(dump(50, "", entries(1_000, "update", noNumber)), KEPT + " -c 2");

        assertThat(json).as(ended.err()).exists();
        Rehearsal found = (Rehearsal) ResultFile.read(json);
        assertThat(codes(found)).as(ended.out()).containsExactly(RemarkCode.OPERATION_FAILS);
        assertThat(ended.code()).as(ended.out()).isEqualTo(ExitCode.LIMIT_BROKEN);
        assertThat(found.search()).isNull();
    }

    @Test
    void continuesAfterTheStepThatFailed() throws IOException {
        TestServer.execute(url, "create table orders_copy as select 1 as _id, '{}'::jsonb as data");
        Path dump = dump(50, "", customersAndUpdates());

        Ended failed = rehearse(dump, BROKEN + " -c 4");
        TestServer.execute(url, "drop table orders_copy");
        Ended ended = rehearse(dump, BROKEN + " -c 4 --resume");

        assertThat(failed.code()).isEqualTo(ExitCode.TARGET);
        assertThat(failed.err()).contains("1 of 5: ", "orders_copy");
        assertThat(ended.err())
                .doesNotContain("1 of 5: ")
                .containsSubsequence("taken over: the import\n", "2 of 5: ", "5 of 5: ");
        Rehearsal found = (Rehearsal) ResultFile.read(json);
        assertThat(found.collections())
                .singleElement()
                .satisfies(orders -> assertThat(orders.documents()).isEqualTo(50));
        assertThat(found.operations())
                .as("reading all of so few is not for want of an index")
                .allMatch(each -> each.scans().contains("Seq Scan") && !each.readsAll());
    }

    @Test
    void refusesWhatCannotBeDone() throws IOException {
        Path dump = dump("", List.of());
        TestServer.execute(url, "create schema stress_layouts");

        Ended empty = rehearse(dump(0, "", List.of()), "");
        assertThat(empty.code()).isEqualTo(ExitCode.DATA);
        assertThat(empty.err()).contains("shop.orders has no documents").doesNotContain("3 of 5");
        assertThat(rehearse(dump, " --layout").err())
                .contains("schema stress_layouts exists", LayoutComparison.DROP)
                .doesNotContain("1 of 6");
        assertThat(rehearse(dump, " --op find_first --table orders --rate 5,6").err())
                .contains(
                        "--op: is determined by the dump",
                        "--table: is determined by the dump",
                        "--rate: must be one rate");
    }
}
