package io.pgstress.extra.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.cli.Ended;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dumps are imported, operations suggested and run. */
@Slow
final class SuggestionTest {
    private static final Pattern MIX = Pattern.compile("--op (\\S+)");

    @TempDir
    private Path directory;

    private ProfiledDump withQueries() throws IOException {
        return new ProfiledDump(directory.resolve("dump"))
                .collection("orders", ProfiledDump.orders(2_000), "{\"indexes\": []}")
                .find(30, "\"filter\": {\"_id\": {\"$oid\": \"65a000000000000000000007\"}}, \"limit\": 1")
                .find(20, "\"filter\": {\"customer\": 4711}, \"sort\": {\"at\": -1}, \"limit\": 20")
                .find(9, "\"filter\": {\"customer\": 4712, \"status\": \"secret\"}")
                .find(8, "\"filter\": {\"status\": {\"$in\": [\"secret\", \"b\", \"c\"]}, \"customer\": 3}")
                .find(
                        7,
                        "\"filter\": {\"at\": {\"$gte\": {\"$date\": \"2024-01-03T00:00:00Z\"}, \"$lt\": {\"$date\":"
                                + " \"2024-01-04T00:00:00Z\"}}}, \"sort\": {\"total\": -1}, \"limit\": 3")
                .find(6, "\"filter\": {\"total\": {\"$lt\": 40.5}}")
                .find(
                        5,
                        "\"filter\": {\"tags\": \"t3\"}, \"projection\": {\"tags\": 1, \"address.city\": 1, \"_id\":"
                                + " 0}")
                .find(5, "\"filter\": {\"items.sku\": \"s4\"}, \"projection\": {\"big\": 0}")
                .find(4, "\"filter\": {\"items\": {\"$elemMatch\": {\"sku\": \"s4\", \"qty\": 4}}}")
                .find(4, "\"filter\": {\"items\": {\"$elemMatch\": {\"sku\": \"s4\", \"qty\": {\"$gte\": 2}}}}")
                .find(4, "\"filter\": {\"tags\": {\"$all\": [\"t1\", \"u1\"]}}")
                .find(4, "\"filter\": {\"items\": {\"$size\": 2}}")
                .find(4, "\"filter\": {\"address.city\": {\"$regex\": \"^Cit\"}, \"note\": null}")
                .find(
                        4,
                        "\"filter\": {\"name\": {\"$regularExpression\": {\"pattern\": \"omer 1\", \"options\":"
                                + " \"i\"}}}")
                .find(4, "\"filter\": {\"$or\": [{\"customer\": 1}, {\"address.zip\": \"00007\"}]}")
                .find(4, "\"filter\": {\"status\": {\"$ne\": \"new\"}, \"version\": {\"$exists\": true}}")
                .find(4, "\"filter\": {\"_id\": {\"$in\": [1, 2, 3]}}")
                .find(4, "\"filter\": {\"_id\": {\"$oid\": \"65a000000000000000000007\"}, \"version\": 3}")
                .find(4, "\"filter\": {\"tags\": {\"$in\": [\"t1\", \"t2\"]}}")
                .find(4, "\"filter\": {\"a'b\\\"c\": 1, \"address\": {\"city\": \"x\", \"zip\": \"y\"}}")
                .find(4, "\"filter\": {}, \"sort\": {\"_id\": 1}, \"skip\": 40, \"limit\": 10")
                .command(6, "{\"count\": \"orders\", \"query\": {\"status\": \"new\"}}")
                .command(6, "{\"distinct\": \"orders\", \"key\": \"tags\", \"query\": {\"customer\": 3}}")
                .command(
                        5,
                        "{\"aggregate\": \"orders\", \"pipeline\": [{\"$match\": {\"customer\": {\"$gte\": 3}}},"
                                + " {\"$group\": {\"_id\": \"$status\", \"n\": {\"$sum\": 1}, \"sum\": {\"$sum\":"
                                + " \"$total\"}}}, {\"$sort\": {\"n\": -1}}, {\"$limit\": 2}]}");
    }

    private ProfiledDump withChanges(ProfiledDump dump) {
        return dump.update(
                        11,
                        "{\"_id\": {\"$oid\": \"65a000000000000000000007\"}}",
                        "{\"$set\": {\"status\": \"secret\", \"address.city\": \"x\", \"audit.by\": \"me\","
                                + " \"audit.at\": {\"$date\": \"2024-01-03T00:00:00Z\"}}, \"$inc\": {\"version\": 1},"
                                + " \"$unset\": {\"big\": 1}}",
                        false)
                .update(
                        5,
                        "{\"customer\": 3, \"status\": \"new\"}",
                        "{\"$push\": {\"tags\": \"z\", \"log\": {\"$each\": [\"a\", \"b\"]}}, \"$pop\": {\"u\": 1},"
                                + " \"$max\": {\"total\": 4}, \"$set\": {\"items.0.qty\": 4}}",
                        false)
                .update(
                        5,
                        "{\"customer\": 3, \"status\": \"paid\"}",
                        "{\"$push\": {\"tags\": \"z\", \"log\": {\"$each\": [\"a\", \"b\"]}}, \"$max\": {\"total\":"
                                + " 4}}",
                        false)
                .update(
                        4,
                        "{\"total\": {\"$lt\": 9}}",
                        "{\"$pull\": {\"items\": {\"$oid\": \"65a000000000000000000007\"}}, \"$addToSet\": {\"tags\":"
                                + " \"z\"}, \"$mul\": {\"total\": 2}}",
                        true)
                .update(4, "{\"_id\": 1}", "{\"customer\": 3, \"whole\": true}", false)
                .update(3, "{\"items.sku\": \"s4\"}", "{\"$set\": {\"items.$.qty\": 4}}", false)
                .entry(
                        5,
                        "command",
                        "orders",
                        "{\"findAndModify\": \"orders\", \"query\": {\"status\": \"new\"}, \"sort\": {\"at\": 1},"
                                + " \"update\": {\"$currentDate\": {\"at\": true}}}",
                        "\"nMatched\": 1, \"nModified\": 1")
                .entry(4, "remove", "orders", "{\"q\": {\"_id\": 3}, \"limit\": 1}", "\"ndeleted\": 1")
                .entry(
                        4,
                        "remove",
                        "orders",
                        "{\"q\": {\"customer\": 3, \"version\": 4}, \"limit\": 0}",
                        "\"ndeleted\": 2")
                .entry(4, "insert", "orders", "{\"insert\": \"orders\", \"ordered\": true}", "\"ninserted\": 1")
                .entry(4, "insert", "orders", "{\"insert\": \"orders\", \"ordered\": true}", "\"ninserted\": 3")
                .entry(
                        4,
                        "getmore",
                        "orders",
                        "{\"getMore\": 7, \"collection\": \"orders\"}",
                        "\"docsExamined\": 100, \"nreturned\": 100");
    }

    @Test
    void suggestedOperationsRunOnTheImportedTable() throws IOException {
        Path dump = withChanges(withQueries())
                .command(2, "{\"aggregate\": \"orders\", \"pipeline\": [{\"$lookup\": {\"from\": \"secret\"}}]}")
                .find(3, "\"filter\": {\"$where\": \"secret\"}")
                .find(2, "\"filter\": {\"name\": \"secret\"}, \"collation\": {\"locale\": \"en\"}")
                .entry(1, "query", "other", "{\"find\": \"other\", \"filter\": {\"a\": 1}}", "\"nreturned\": 1")
                .write();
        Path file = directory.resolve("orders.yaml");
        String url = TestServer.freshDatabase("suggestion");

        imported(dump, url);
        Ended ended = Ended.stress("suggest %s --output %s".formatted(dump, file));

        assertThat(ended.code()).isZero();
        String yaml = Files.readString(file);
        assertThat(ended.err()).contains("shop.orders: 34 operations, 4 shapes not translated");
        assertThat(yaml)
                .contains("# - 3 entries: $where: find filter: {$where: ?}\n")
                .contains("# - 2 entries: the stage $lookup: aggregate pipeline: [{$lookup: {from: ?}}]\n")
                .contains("# - 2 entries: a collation: find filter: {name: ?}\n")
                .contains("# - 3 entries: an update of the array elements that the filter finds ($ in a path): q:"
                        + " {items.sku: ?}, u: {$set: {items.$.qty: ?}}\n")
                .contains("# 4 entries (getmore) fetched further rows of a query.")
                .contains("  # 20 entries (9.0%); median 9 ms, 95% within 18 ms; 5.0 documents each, 7.0 examined\n")
                .doesNotContain("secret", "4711");
        String mix = MIX.matcher(yaml).results().findFirst().orElseThrow().group(1);
        assertThat(mix).startsWith("find_by_id:30,find_by_customer_sorted:20,update_by_id:11,");
        assertThat(run(url, file, mix, "1.2")).as(yaml).isEmpty();
        assertThat(TestServer.number(
                        url, "select count(*) from orders where data ->> 'whole' = 'true' or data ? 'audit'"))
                .as("changes are made in the copy table")
                .isZero();
    }

    private static void imported(Path dump, String url) {
        assertThat(Ended.stress("import %s --url %s -q --collection orders --indexes create".formatted(dump, url))
                        .code())
                .isZero();
    }

    @Test
    void indexesOfTheImportServeTheOperations() throws IOException {
        Path dump = new ProfiledDump(directory.resolve("dump"))
                .collection("orders", ProfiledDump.orders(5_000), """
                    {"indexes": [{"v": 2, "key": {"customer": 1, "at": -1}, "name": "by_customer"},
                     {"v": 2, "key": {"at": 1}, "name": "by_at"}, {"v": 2, "key": {"items.sku": 1}, "name": "by_items"}]}
                    """)
                .find(1, "\"filter\": {\"customer\": 4711}, \"sort\": {\"at\": -1}, \"limit\": 2")
                .find(1, "\"filter\": {\"at\": {\"$gte\": {\"$date\": 3}, \"$lt\": {\"$date\": 4}}}")
                .find(1, "\"filter\": {\"items.sku\": \"s4\"}")
                .update(
                        1,
                        "{\"items\": {\"$elemMatch\": {\"sku\": 1, \"qty\": 1}}}",
                        "{\"$set\": {\"status\": 1}}",
                        true)
                .write();
        Path file = directory.resolve("orders.yaml");
        String url = TestServer.freshDatabase("suggestion_indexes");
        imported(dump, url);
        TestServer.execute(url, "vacuum analyze orders");
        assertThat(Ended.stress("suggest %s --output %s".formatted(dump, file)).code())
                .isZero();

        String plans = Ended.stress(
                        "explain --url %s -t orders --operations %s --op find_by_customer_sorted,find_by_at,find_by_items_sku --verbose"
                                .formatted(url, file))
                .out();

        assertThat(plans)
                .contains(
                        "Index Scan using orders_by_customer",
                        "Index Scan using orders_by_at",
                        "Bitmap Index Scan on orders_by_items")
                .doesNotContain("Seq Scan", "Sort");
    }

    @Test
    void conditionsThatGinOnWholeDocumentsServes() throws IOException, InterruptedException {
        Path dump = new ProfiledDump(directory.resolve("dump"))
                .collection("orders", ProfiledDump.orders(5_000), "{\"indexes\": []}")
                .find(1, "\"filter\": {\"customer\": 4711, \"address.zip\": \"00007\"}")
                .find(1, "\"filter\": {\"at\": {\"$date\": \"2024-01-04T00:00:00Z\"}}")
                .find(1, "\"filter\": {\"tags\": \"t3\", \"name\": \"x\"}")
                .find(1, "\"filter\": {\"items.sku\": \"s4\"}")
                .find(1, "\"filter\": {\"items\": {\"$elemMatch\": {\"sku\": \"s4\", \"qty\": 4}}}")
                .find(1, "\"filter\": {\"address\": {\"city\": \"x\", \"zip\": \"y\"}}")
                .find(1, "\"filter\": {\"total\": 7.5}")
                .write();
        Suggestion found = Suggestion.of(dump, List.of(), any -> true);
        Set<String> names = found.observed().stream()
                .map(Suggestion.Observed::name)
                .filter(name -> !name.equals("find_by_total"))
                .collect(Collectors.toSet());
        Path file = directory.resolve("orders.yaml");
        String yaml = found.containing(names).orElseThrow().yaml(file.toString());
        Files.writeString(file, yaml);
        String url = TestServer.freshDatabase("suggestion_gin");
        imported(dump, url);
        TestServer.execute(
                url, "create index orders_gin on orders using gin (data jsonb_path_ops)", "vacuum analyze orders");

        assertThat(yaml)
                .contains(
                        "data @> jsonb_build_object('address', jsonb_build_object('zip', :address_zip::jsonb))\n"
                                + "          and data @> jsonb_build_object('customer', :customer::jsonb)",
                        "data @> jsonb_build_object('at', :at::jsonb)",
                        "data @> jsonb_build_object('tags', jsonb_build_array(:tags::jsonb))",
                        "data @> jsonb_build_object('items', jsonb_build_array(jsonb_build_object('sku',"
                                + " :items_sku::jsonb)))",
                        "data @> jsonb_build_object('items', jsonb_build_array(jsonb_build_object('sku', :",
                        "data -> 'address' = :address", // contains means more than equals
                        "data -> 'total' = :total"); // not asked for
        assertThat(found.containing(Set.of("find_by_address"))).isEmpty();
        String mix = MIX.matcher(yaml).results().findFirst().orElseThrow().group(1);
        assertThat(run(url, file, mix, "0.5")).as(yaml).isEmpty();
        String plans = Ended.stress(
                        "explain --url %s -t orders --operations %s --op find_by_address_zip_customer,find_by_at,find_by_items_sku"
                                .formatted(url, file))
                .out();
        assertThat(plans).contains("Bitmap Index Scan").doesNotContain("Seq Scan");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%d",
                "\"key %d\"",
                "{\"$date\": {\"$numberLong\": \"17000000%05d\"}}",
                "{\"$binary\": {\"base64\": \"%s\", \"subType\": \"04\"}}",
                "{\"a\": %d}"
            })
    void everyTypeOfKeyIsFoundAndCreated(String key) throws IOException {
        List<String> documents = IntStream.range(0, 300)
                .mapToObj(i -> "{\"_id\": " + String.format(Locale.ROOT, key, key.contains("base64") ? base64(i) : i)
                        + ", \"n\": " + i % 7 + "}")
                .toList();
        Path dump = new ProfiledDump(directory.resolve("dump"))
                .collection("orders", documents, "{\"indexes\": []}")
                .find(1, "\"filter\": {\"_id\": 1}")
                .find(1, "\"filter\": {\"_id\": {\"$gt\": 1}}, \"sort\": {\"_id\": 1}, \"limit\": 5")
                .find(1, "\"filter\": {\"_id\": 1, \"n\": 2}")
                .update(1, "{\"_id\": 1}", "{\"replaced\": 2}", false)
                .entry(1, "remove", "orders", "{\"q\": {\"_id\": 3}, \"limit\": 1}", "\"ndeleted\": 1")
                .entry(1, "insert", "orders", "{\"insert\": \"orders\"}", "\"ninserted\": 1")
                .entry(1, "insert", "orders", "{\"insert\": \"orders\"}", "\"ninserted\": 5")
                .write();
        Path file = directory.resolve("orders.yaml");
        String url = TestServer.freshDatabase("suggestion_keys");
        imported(dump, url);
        assertThat(Ended.stress("suggest %s --output %s".formatted(dump, file)).code())
                .isZero();

        String yaml = Files.readString(file);
        String mix = MIX.matcher(yaml).results().findFirst().orElseThrow().group(1);

        assertThat(run(url, file, mix, "0.3")).as(yaml).isEmpty();
        assertThat(mix.contains("find_by_id_n") || yaml.contains("is needed from the same row as other values"))
                .isTrue();
        assertThat(TestServer.number(url, "select count(*) from orders_copy where not data ? '_id' or not data ? 'n'"))
                .isZero();
    }

    private static String base64(int number) {
        return Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(16).putInt(number).array());
    }

    private static Map<String, String> run(String url, Path file, String mix, String seconds) {
        String evenly = Pattern.compile(":\\d+").matcher(mix).replaceAll("");
        RunResult run = Runs.run("-t orders --operations %s --op %s -c 4 --warmup 0 -T %s --url %s"
                .formatted(file, evenly, seconds, url));
        return run.operations().entrySet().stream()
                .filter(e -> e.getValue().ok() == 0
                        || e.getValue().rows() == 0
                        || !e.getValue().errors().isEmpty())
                .collect(Collectors.toMap(Map.Entry::getKey, e -> summary(e.getValue())));
    }

    private static String summary(OperationResult result) {
        return result.ok() + " ok, " + result.rows() + " rows, " + result.misses() + " misses, " + result.errors();
    }
}
