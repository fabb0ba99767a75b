package io.pgstress.extra.indexes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.Chunk;
import io.pgstress.bson.Documents;
import io.pgstress.extra.indexes.IndexPlan.Definition;
import io.pgstress.extra.indexes.IndexPlanner.IndexRules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands for an index of MongoDB. */
final class IndexPlannerTest {
    private static final IndexRules RULES = new IndexRules(false, false);

    /** @param documents in MongoDB's Extended JSON */
    private static IndexPlan plan(String index, IndexRules rules, String... documents) {
        CollectionIndexes all = CollectionIndexes.of("{\"indexes\": [" + index + "]}");
        for (String json : documents) {
            byte[] document = Documents.ofJson(json);
            Chunk chunk = new Chunk(document.length);
            System.arraycopy(document, 0, chunk.add(document.length), 0, document.length);
            all.shapes().see(chunk);
        }
        return new IndexPlanner(all, rules).plan(all.indexes().get(0));
    }

    private static List<String> definitions(String index, IndexRules rules, String... documents) {
        return plan(index, rules, documents).definitions().stream()
                .map(Definition::describe)
                .toList();
    }

    /** An index whose key is damaged is not passed over in silence. */
    @Test
    void indexWithoutAKeyIsNamedWithTheReason() {
        IndexPlan plan = plan("{\"name\": \"bad\", \"key\": 5}", RULES);
        assertThat(plan.definitions()).isEmpty();
        assertThat(plan.notes()).anyMatch(note -> note.contains("no valid key"));
    }

    private static String filtered(String filter) {
        String index = "{\"key\": {\"a\": 1}, \"partialFilterExpression\": " + filter + "}";
        IndexPlan plan = plan(index, RULES, "{list: [1]}");
        return plan.definitions().isEmpty()
                ? plan.notes().get(0)
                : plan.definitions().get(0).where();
    }

    /** Servers, shells and tools wrote numbers in these forms. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "-1.0",
                "{\"$numberInt\": \"-1\"}",
                "{\"$numberDouble\": \"-1.0\"}",
                "{\"$numberLong\": \"-1\"}",
                "{\"$numberLong\": -1}"
            })
    void readsEveryFormOfANumber(String number) {
        assertThat(definitions("{\"v\": 2, \"key\": {\"a\": " + number + "}, \"name\": \"x\"}", RULES))
                .containsExactly("btree ((data -> 'a') desc)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"s\": \"x\"} | data -> 's' = '\"x\"'::jsonb",
                "{\"s\": {\"$eq\": null}} | (data -> 's' is null or data -> 's' = 'null'::jsonb)",
                "{\"list\": \"x\"} | data -> 'list' @> '\"x\"'::jsonb",
                "{\"list.k\": {\"$numberInt\": \"3\"}} | data -> 'list' @> '[{\"k\":3}]'::jsonb",
                "{\"n\": {\"$gt\": {\"$numberInt\": \"5\"}, \"$lte\": {\"$numberDouble\": \"7.5\"}}}"
                        + " | data -> 'n' > '5'::jsonb and data -> 'n' <= '7.5'::jsonb",
                "{\"a.b\": {\"$exists\": true}} | data -> 'a' -> 'b' is not null",
                "{\"s\": {\"$type\": \"string\"}} | jsonb_typeof(data -> 's') = 'string'",
                "{\"s\": {\"$type\": {\"$numberInt\": \"9\"}}} | data -> 's' -> '$date' is not null",
                "{\"s\": {\"$in\": [\"x\", \"y\"]}} | (data -> 's' = '\"x\"'::jsonb or data -> 's' = '\"y\"'::jsonb)",
                "{\"$or\": [{\"a\": true}, {\"b\": 1}]} | ((data -> 'a' = 'true'::jsonb) or (data -> 'b' = '1'::jsonb))",
                "{\"$and\": [{\"a\": true}, {\"b\": 1}]} | data -> 'a' = 'true'::jsonb and data -> 'b' = '1'::jsonb",
                "{\"d\": {\"$gt\": {\"$date\": {\"$numberLong\": \"1704067200500\"}}}}"
                        + " | rtrim(data -> 'd' ->> '$date', 'Z') > '2024-01-01T00:00:00.500'",
                "{\"o\": {\"$oid\": \"0123456789abcdef01234567\"}}"
                        + " | data -> 'o' = '{\"$oid\":\"0123456789abcdef01234567\"}'::jsonb",
                "{\"it's\": \"o'clock\"} | data -> 'it''s' = '\"o''clock\"'::jsonb",
                "{\"o\": {\"$oid\": \"11111111111111111111111d\"}}"
                        + " | data -> 'o' = '{\"$oid\":\"11111111111111111111111d\"}'::jsonb",
                "{\"back\\\\slash\": \"a\\\\b\"} | data -> E'back\\\\slash' = E'\"a\\\\\\\\b\"'::jsonb",
                "{\"n\": {\"$numberInt\": \"1d\"}} | data -> 'n' = '{\"$numberInt\":\"1d\"}'::jsonb",
                "{\"list.k\": {\"$exists\": true}} | its filter has $exists of elements of an array (list.k)",
                "{\"list.k\": null} | its filter compares elements of an array with null (list.k)",
                "{\"list\": {\"$type\": \"date\"}} | its filter has $type date of elements of an array (list)",
                "{\"s\": {\"$type\": \"number\"}} | (jsonb_typeof(data -> 's') = 'number'"
                        + " or data -> 's' -> '$numberDouble' is not null or data -> 's' -> '$numberDecimal' is not null)",
                "{\"s\": {\"$type\": \"minKey\"}} | its filter has $type minkey, which has no counterpart",
                "{\"p\": {\"$geoWithin\": {}}} | its filter has $geoWithin, which has no counterpart",
                "{\"list\": {\"$gt\": 1}} | its filter compares the elements of an array (list)"
            })
    void translatesFilters(String filter, String condition) {
        assertThat(filtered(filter)).isEqualTo(condition);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        dates sort by time | "key": {"a": 1} | {a: {$date: 5}} & {a: null} | btree ((rtrim(data -> 'a' ->> '$date', 'Z')))
        not with other dates | "key": {"a": 1} | {a: {$date: 5}} & {a: {$date: -5}} | btree ((data -> 'a'))
        nor with other values | "key": {"a": 1} | {a: {$date: 5}} & {a: 5} | btree ((data -> 'a'))
        nor without a date | "key": {"a": 1} | {a: null} | btree ((data -> 'a'))
        an array has an index of its own | "key": {"s": 1, "l.k": 1, "l.m": 1, "_id": -1}, "sparse": true | {l: [{k: 1}]} | \
        gin ((data -> 'l') jsonb_path_ops) & btree ((data -> 's'), _id desc)
        sparse: rows with any of the fields | "key": {"a": 1, "b": 1}, "sparse": true | {} | \
        btree ((data -> 'a'), (data -> 'b')) where (data -> 'a' is not null or data -> 'b' is not null)
        a number is an element of an array | "key": {"l.0.k": 1} | {l: [{k: 1}]} | btree ((data -> 'l' -> 0 -> 'k'))
        or the name of a field | "key": {"l.0.k": 1} | {l: {'0': {k: 1}}} | btree ((data -> 'l' -> '0' -> 'k'))
        numbers have no collation | "key": {"a": 1}, "collation": {"locale": "en"} | {a: 1} | btree ((data -> 'a'))
        a comparison in a unique index is exact \
        | "key": {"_id": 1, "a": 1}, "unique": true, "partialFilterExpression": {"n": {"$gt": 5}} | {} | \
        unique btree (_id, (data -> 'a')) where data -> 'n' > '5'::jsonb and jsonb_typeof(data -> 'n') = 'number'
        """)
    void servesTheSameQueries(String what, String index, String documents, String definitions) {
        assertThat(definitions("{" + index + "}", RULES, documents.split(" & ", -1)))
                .as(what)
                .containsExactly(definitions.split(" & ", -1));
    }

    @Test
    void canonicalDatesAreNumbers() {
        assertThat(definitions(
                        "{\"key\": {\"a\": 1}, \"partialFilterExpression\": {\"b\": {\"$numberInt\": \"3\"}}}",
                        new IndexRules(true, false),
                        "{a: {$date: -5}}"))
                .containsExactly("btree (((data -> 'a' -> '$date' ->> '$numberLong')::bigint))"
                        + " where data -> 'b' = '{\"$numberInt\":\"3\"}'::jsonb");
    }

    @Test
    void kindsOfNumbersNeedCanonicalJson() {
        String index =
                "{\"key\": {\"a\": 1}, \"unique\": true, \"partialFilterExpression\": {\"n\": {\"$type\": \"int\"}}}";
        assertThat(plan(index, RULES).notes())
                .containsExactly("its filter has $type int, and relaxed Extended JSON has one kind of numbers");
        assertThat(plan(index, new IndexRules(true, false)).definitions())
                .extracting(Definition::where)
                .first()
                .isEqualTo("data -> 'n' -> '$numberInt' is not null");
    }

    @Test
    void anIndexWithU0000HasNoCounterpart() {
        assertThat(plan("{\"key\": {\"a\\u0000b\": 1}}", RULES).notes()).containsExactly("its metadata contain U+0000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"key\": {\"$**\": 1}}",
                "{\"key\": {\"a\": 1, \"b.$**\": 1}}",
                "{\"key\": {\"a\": 1, \"_fts\": \"text\", \"_ftsx\": 1}, \"weights\": {\"b\": 1}}",
                "{\"key\": {\"a\": \"2d\"}}",
                "{\"key\": {\"a\": \"2dsphere\", \"b\": 1}}",
                "{\"key\": {\"a\": \"columnstore\"}}",
                "{\"key\": {\"$**\": \"columnstore\"}, \"name\": \"columnstore\"}",
                "{\"key\": {\"a\": 1}, \"collation\": {\"locale\": \"en\", \"strength\": 2}}"
            })
    void anIndexOfAnotherKindIsNamedWithTheReason(String index) {
        IndexPlan plan = plan(index, RULES);

        assertThat(plan.definitions()).isEmpty();
        assertThat(plan.notes()).singleElement().asString().satisfies(note -> {
            if (index.contains("columnstore")) {
                assertThat(note).isEqualTo("its type, columnstore, has no counterpart");
            }
        });
    }

    @Test
    void decimalsAreComparedAsText() {
        IndexPlan plan = plan("{\"key\": {\"a\": 1}}", RULES, "{a: {$numberDecimal: '1'}}");

        assertThat(plan.definitions()).extracting(Definition::describe).containsExactly("btree ((data -> 'a'))");
        assertThat(plan.notes()).singleElement().asString().startsWith("equality only for a: decimals are stored as");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a: {$date: {$numberLong: '-1'}}}",
                "{a: {$date: {$numberLong: '253402300800000'}}}",
                "{a: {$date: '1926-01-01T00:00:00Z'}}"
            })
    void datesOutsideTheYearsOfTextAreSaidNotToBeInOrder(String odd) {
        String inRange = "{a: {$date: '2020-01-01T00:00:00Z'}}";
        IndexPlan plan = plan("{\"key\": {\"a\": 1}}", RULES, inRange, odd);
        assertThat(plan.definitions()).extracting(Definition::describe).containsExactly("btree ((data -> 'a'))");
        assertThat(plan.notes())
                .singleElement()
                .asString()
                .startsWith("equality only for a: it has values other than dates of the years 1970 to 9999");

        IndexPlan canonical = plan("{\"key\": {\"a\": 1}}", new IndexRules(true, false), inRange, odd);
        assertThat(canonical.notes()).isEmpty();
        IndexPlan mixed = plan("{\"key\": {\"a\": 1}}", new IndexRules(true, false), inRange, "{a: 'soon'}");
        assertThat(mixed.notes()).singleElement().asString().contains("values other than dates, so");
        assertThat(plan("{\"key\": {\"a\": 1}}", RULES, inRange, "{a: null}").notes())
                .isEmpty();
    }

    @Test
    void aDistributedTableAllowsUniqueIndexesWithItsKeyOnly() {
        IndexRules distributed = new IndexRules(false, true);
        IndexPlan plan = plan("{\"key\": {\"a\": 1}, \"unique\": true}", distributed);
        assertThat(plan.definitions()).extracting(Definition::unique).containsExactly(false);
        assertThat(plan.notes()).singleElement().asString().startsWith("not unique: the table is distributed by _id");
        assertThat(plan("{\"key\": {\"a\": 1, \"_id\": 1}, \"unique\": true}", distributed)
                        .definitions())
                .extracting(Definition::unique)
                .containsExactly(true);
    }

    /** What MongoDB does by rules, whatever the documents are; a statement that deletes is never one of the notes. */
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "key": {"a": 1} | 60 | expires
        "key": {"a": -1} | {"$numberInt": "0"} | expires
        "key": {"a": 1} | {"$numberDouble": "2147483647.0"} | expires
        "key": {"a": 1}, "hidden": true | 60 | expires
        "key": {"a": 1}, "collation": {"locale": "en"} | 60 | expires
        "key": {"a": 1}, "partialFilterExpression": {"b": true} | 60 | expires
        "key": {"a": -1, "b": -1} | 86400 | only an index of one field makes documents expire
        "key": {"a": 1, "b": 1}, "partialFilterExpression": {"b": true} | 60 | only an index of one field makes documents expire
        "key": {"_id": 1, "a": 1}, "unique": true | {"$numberLong": "60"} | only an index of one field makes documents expire
        "key": {"a": 1, "b": "hashed"} | 0 | only an index of one field makes documents expire
        "key": {"a": 1} | {"$numberDecimal": "60"} | expires
        "key": {"a": 1} | true | it is not a number from 0 to 2147483647
        "key": {"a": 1} | {"$numberInt": "-1"} | it is not a number from 0 to 2147483647
        "key": {"a": 1} | -1 | it is not a number from 0 to 2147483647
        "key": {"a": 1} | {"$numberLong": "2147483648"} | it is not a number from 0 to 2147483647
        "key": {"a": 1} | {"$numberDouble": "NaN"} | it is not a number from 0 to 2147483647
        "key": {"a": 1} | "60" | it is not a number from 0 to 2147483647
        "key": {"_id": "hashed"} | 60 | documents do not expire by _id
        "key": {"a": "hashed"} | 60 | only an ascending or descending index makes documents expire
        "key": {"a.$**": 1} | 60 | only an ascending or descending index makes documents expire
        """)
    void saysWhetherMongoDbDeletesDocumentsByAnIndex(String index, String seconds, String expected) {
        String spec = "{" + index + ", \"expireAfterSeconds\": " + seconds + "}";
        String note = expected.equals("expires")
                ? "MongoDB deletes documents by this index, and PostgreSQL deletes no rows (docs/indexes.md)"
                : "MongoDB ignores its expireAfterSeconds: " + expected;
        for (String documents : List.of(
                "{a: {$date: 5}}",
                "{a: [{$date: 5}, {$date: 7}]}",
                "{a: {$date: -5}}",
                "{a: {$date: -62135596800000}}",
                "{a: {$date: 253402300800000}}",
                "{a: [{$date: -5}, 'x', null]}",
                "{a: [[{$date: 5}]]}",
                "{a: {$timestamp: {t: 1, i: 1}}}",
                "{a: {b: {$date: 5}}}",
                "{a: 'x'}",
                "{}")) {
            IndexPlan plan = plan(spec, RULES, documents, "{a: {$date: 5}}");
            assertThat(plan.notes()).contains(note).noneMatch(each -> each.contains("delete from"));
            assertThat(plan.index().describe().contains("expires after")).isEqualTo(expected.equals("expires"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"key\": null}", "{\"key\": {}, \"v\": 2}", "{\"key\": \"a\"}"})
    void indexWithoutAKeyIsNamed(String spec) {
        IndexPlan plan = plan(spec, RULES);

        assertThat(plan.index().name()).isEqualTo("unnamed");
        assertThat(plan.notes()).containsExactly("its metadata have no valid key");
    }

    @Test
    void namesWhatIsNotValid() {
        assertThat(CollectionIndexes.of("{\"indexes\": [").fault())
                .isEqualTo("its metadata are not valid JSON (line 1, column 14)");
        assertThat(CollectionIndexes.of("version https://git-lfs.github.com/spec/v1\noid sha256:77\nsize 1\n")
                        .fault())
                .isEqualTo("its metadata file is a Git LFS pointer; run git lfs pull");
        assertThat(CollectionIndexes.of("Error:\nno\u0007 space").fault())
                .isEqualTo("its metadata file is data that begin with \"Error:\\nno\\u0007 space\"");
        assertThat(CollectionIndexes.of("[1]").fault()).isEqualTo("its metadata are not valid JSON");
        assertThat(CollectionIndexes.of("").indexes()).isEmpty();
        assertThat(CollectionIndexes.of("").unknown()).isEqualTo("the dump does not describe them");
        assertThat(CollectionIndexes.of("{\"options\": {}}").unknown()).isEqualTo("the dump does not describe them");
        assertThat(CollectionIndexes.of("{\"indexes\": []}").unknown()).isEmpty();
        assertThat(CollectionIndexes.of("{\"indexes\": [{\"v\": 1, \"key\": {\"_id\": 1}, \"name\": \"_id_\"}]}")
                        .indexes())
                .isEmpty();
    }
}
