package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgstress.bson.BsonWriter;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.index.IndexMode;
import io.pgstress.importer.index.build.IndexResult;
import io.pgstress.importer.index.build.IndexResult.Part;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code import --indexes}: an index of each kind, what serves its queries, and what cannot be created. */
@Slow
final class IndexesTest {
    private static String url;
    private static CollectionSummary orders;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void importOrders() throws Exception {
        url = TestServer.freshDatabase("indexes");
        Imports imports = imports();
        imports.jobs = 2;
        imports.indexes = IndexMode.CREATE;
        orders = imports.one(IndexedDump.write(directory));
    }

    private static Imports imports() {
        return new Imports(url, directory);
    }

    private static IndexResult index(CollectionSummary of, String name) {
        return of.indexes().stream()
                .filter(index -> index.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static long indexes(String table) {
        return TestServer.number(
                url, "select count(*) from pg_index where indisvalid and indrelid = '" + table + "'::regclass");
    }

    @Test
    void createsAnIndexOfEachKind() {
        assertThat(orders.indexes()).hasSize(18);
        assertThat(orders.indexes())
                .allSatisfy(index -> assertThat(index.fault()).isEmpty());
        long made = orders.indexes().stream()
                .flatMap(index -> index.indexes().stream())
                .filter(part -> part.state().equals("created") && part.bytes() > 0)
                .count();
        assertThat(indexes("orders")).isEqualTo(made + 1);
        assertThat(index(orders, "_id_hashed").notes()).containsExactly("the primary key serves it");
        assertThat(index(orders, "hidden_total").indexes()).isEmpty();
        assertThat(index(orders, "haystack").notes()).containsExactly("its type, geoHaystack, has no counterpart");
    }

    /** The plans in the documentation are those of the server, and each uses the index that the page says. */
    @Test
    void servesTheQueriesThatTheDocumentationNames() throws Exception {
        List<String> plans = new ArrayList<>();
        try (Connection connection = TestServer.connector(url).openControl();
                Statement statement = connection.createStatement()) {
            statement.execute("set enable_seqscan = off");
            for (String page : List.of("docs/index-queries.md", "docs/index-queries-arrays.md")) {
                plans.addAll(comparePlans(statement, Path.of(page)));
            }
        }

        assertThat(plans)
                .hasSizeGreaterThan(15)
                .allSatisfy(plan -> assertThat(plan).contains("Index"));
        assertThat(orders.indexes())
                .filteredOn(index -> !index.indexes().isEmpty())
                .allSatisfy(index -> assertThat(plans).anyMatch(plan -> plan.contains("orders_" + index.name())));
    }

    /** The server's plans of a page's queries, which must be those that the page shows. */
    private static List<String> comparePlans(Statement statement, Path page) throws Exception {
        String text = Files.readString(page);
        StringBuilder actual = new StringBuilder();
        List<String> plans = new ArrayList<>();
        Matcher query = Pattern.compile("```sql\n(explain.*?);\n```\n\n(?:```text\n.*?```\n\n?)?", Pattern.DOTALL)
                .matcher(text);
        while (query.find()) {
            plans.add(plan(statement, query.group(1)));
            String end = query.group().endsWith("\n\n") ? "```\n\n" : "```\n";
            String shown = "```sql\n" + query.group(1) + ";\n```\n\n```text\n" + plans.get(plans.size() - 1) + end;
            query.appendReplacement(actual, Matcher.quoteReplacement(shown));
        }
        query.appendTail(actual);
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(page, actual);
        }
        assertThat(Files.readString(page)).isEqualTo(actual.toString());
        return plans;
    }

    private static String plan(Statement statement, String explain) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (ResultSet rows = statement.executeQuery(explain)) {
            while (rows.next()) {
                plan.append(rows.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }

    @Test
    void namesUniqueViolationsAndKeepsTheRows() throws Exception {
        Imports imports = imports();
        imports.indexes = IndexMode.CREATE;
        CollectionSummary summary = imports.one(
                dump("twice", "a:1,unique", 8, (w, i) -> w.int32("_id", i).int32("a", i / 2)));

        assertThat(summary.rows()).isEqualTo(8);
        assertThat(summary.fault()).isEmpty();
        assertThat(index(summary, "a_1").fault())
                .startsWith("rows with the same values: _id 0, 1; _id 2, 3; _id 4, 5; _id 6, 7; correct them");
    }

    @Test
    void resumeCreatesWhatFailed() throws Exception {
        Imports imports = imports();
        imports.indexes = IndexMode.CREATE;
        Path dump = dump("again", "a:1,unique", 8, (w, i) -> w.int32("_id", i).int32("a", i / 2));
        imports.one(dump);
        TestServer.execute(url, "delete from again where _id % 2 = 1");
        imports.resume = true;

        assertThat(index(imports.one(dump), "a_1").indexes())
                .extracting(Part::state)
                .containsExactly("created", "exists");
    }

    @Test
    void aMissingFieldCountsAsNullInAUniqueIndex() throws Exception {
        Imports imports = imports();
        imports.indexes = IndexMode.CREATE;
        Path dump = dump("lacking", "a:1,unique", 3, (w, i) -> {
            w.int32("_id", i);
            if (i == 1) {
                w.nothing("a");
            } else if (i == 2) {
                w.int32("a", 1);
            }
        });

        assertThat(index(imports.one(dump), "a_1").fault()).startsWith("rows with the same values: _id 0, 1; correct");
    }

    @Test
    void appendCreatesNoIndexTwice() throws Exception {
        Imports imports = imports();
        imports.indexes = IndexMode.CREATE;
        imports.ifExists = IfExists.APPEND;
        Path dump = directory.resolve("second");
        Files.createDirectories(dump);
        String metadata = Files.readString(directory.resolve("shop/orders.metadata.json"));
        Files.writeString(dump.resolve("orders.metadata.json"), metadata);
        Files.write(dump.resolve("orders.bson"), Imports.documents(1, (w, i) -> w.int32("_id", -1)));
        long before = indexes("orders");

        CollectionSummary summary = imports.one(dump);

        assertThat(summary.rows()).isEqualTo(1);
        assertThat(indexes("orders")).isEqualTo(before);
        assertThat(summary.indexes())
                .flatExtracting(IndexResult::indexes)
                .extracting(Part::state)
                .containsOnly("exists");
    }

    @Test
    void reportsWithoutCreating() throws Exception {
        CollectionSummary summary = imports().one(dump("planned", "a:1", 3, (w, i) -> w.int32("_id", i)));

        assertThat(index(summary, "a_1").indexes()).extracting(Part::state).containsExactly("planned");
        assertThat(indexes("planned")).isEqualTo(1);
    }

    @Test
    void noneLooksAtNothing() throws Exception {
        Imports imports = imports();
        imports.indexes = IndexMode.NONE;

        assertThat(imports.one(dump("none", "a:1", 3, (w, i) -> w.int32("_id", i)))
                        .indexes())
                .isEmpty();
    }

    @Test
    void anAtomicImportCreatesThemOnTheFinalTable() throws Exception {
        Imports imports = imports();
        imports.indexes = IndexMode.CREATE;
        imports.atomic = true;

        CollectionSummary summary = imports.one(dump("whole", "a:1", 3, (w, i) -> w.int32("_id", i)));

        assertThat(index(summary, "a_1").indexes()).extracting(Part::state).containsExactly("created");
        assertThat(indexes("whole")).isEqualTo(2);
    }

    @Test
    void rowsFromBeforeTheImportCountToo() throws Exception {
        TestServer.execute(
                url,
                "create table grown (_id int primary key, data jsonb not null default '{}')",
                "insert into grown values (-1, '{\"_id\": -1, \"a\": [1, 2]}')");
        Imports imports = imports();
        imports.indexes = IndexMode.CREATE;
        imports.ifExists = IfExists.APPEND;

        CollectionSummary summary =
                imports.one(dump("grown", "a:1", 3, (w, i) -> w.int32("_id", i).int32("a", i)));

        assertThat(index(summary, "a_1").indexes())
                .extracting(Part::definition)
                .containsExactly("gin ((data -> 'a') jsonb_path_ops)");
    }

    @Test
    void anIndexOfTheSameNameIsNotReplaced() throws Exception {
        Imports imports = imports();
        imports.indexes = IndexMode.CREATE;
        imports.ifExists = IfExists.TRUNCATE;
        TestServer.execute(
                url,
                "create table taken (_id int primary key, data jsonb not null default '{}')",
                "create index taken_a_1 on taken ((data -> 'b'))");

        CollectionSummary summary = imports.one(dump("taken", "a:1", 3, (w, i) -> w.int32("_id", i)));

        assertThat(index(summary, "a_1").fault())
                .startsWith("an index of this name exists with another definition, USING btree ")
                .contains("'b'");
    }

    /** One name space: index b_c_1 of a and index c_1 of a_b would have the same name. */
    @Test
    void aNameThatAnotherTableHasGetsDigits() throws Exception {
        Imports imports = imports();
        imports.indexes = IndexMode.CREATE;
        imports.ifExists = IfExists.APPEND;
        Path first = dump("name", "x_y:1", 3, (w, i) -> w.int32("_id", i));
        Path second = dump("name_x", "y:1", 3, (w, i) -> w.int32("_id", i));
        imports.one(first);
        String name = index(imports.one(second), "y_1").indexes().get(0).name();

        assertThat(name).matches("name_x_y_1\\$[0-9a-f]{12}");
        Files.write(second.resolve("name_x.bson"), Imports.documents(1, (w, i) -> w.int32("_id", 9)));
        assertThat(index(imports.one(second), "y_1").indexes()).singleElement().satisfies(part -> {
            assertThat(part.name()).isEqualTo(name);
            assertThat(part.state()).isEqualTo("exists");
        });
    }

    @Test
    void anIndexMayBeNamedLikeThePrimaryKey() throws Exception {
        Imports imports = imports();
        imports.indexes = IndexMode.CREATE;
        Path dump = dump("keyed", "a:1", 3, (w, i) -> w.int32("_id", i));
        Files.writeString(
                dump.resolve("keyed.metadata.json"),
                IndexedDump.metadata("keyed", "{\"v\":2,\"key\":{\"a\":1},\"name\":\"pkey\"}"));

        assertThat(index(imports.one(dump), "pkey").indexes())
                .extracting(Part::state)
                .containsExactly("created");
    }

    @Test
    void anInterruptEndsTheCreationAndResumeFinishesIt() throws Exception {
        Imports imports = imports();
        Path dump = dump("halted", "a:1", 3, (w, i) -> w.int32("_id", i));
        imports.one(dump);
        imports.indexes = IndexMode.CREATE;
        imports.resume = true;
        CompletableFuture<String> progress = new CompletableFuture<>();
        imports.listener = listener(progress);
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> ended.complete(catchThrowable(() -> imports.one(dump))));
        try (Connection other = TestServer.connector(url).openControl();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table halted in row exclusive mode");
            thread.start();
            assertThat(progress.get(30, TimeUnit.SECONDS)).startsWith("creating indexes: 0 of 1 done; halted: a_1");
            thread.interrupt();

            assertThat(ended.get(30, TimeUnit.SECONDS))
                    .hasMessageContaining("interrupted")
                    .hasMessageContaining("--resume");
            assertThat(indexes("halted")).isEqualTo(1);
        }

        assertThat(index(imports.one(dump), "a_1").indexes())
                .extracting(Part::state)
                .containsExactly("created");
    }

    /** Takes the first report of how far a step has come. */
    private static ImportListener listener(CompletableFuture<String> progress) {
        return new ImportListener() {
            @Override
            public void progress(long rows, long bytesRead, long bytesTotal) {}

            @Override
            public void state(String words) {
                progress.complete(words);
            }
        };
    }

    /** A dump of one collection with an index {@code field:order[,property]}. */
    private static Path dump(String name, String index, int count, BiConsumer<BsonWriter, Integer> document)
            throws IOException {
        String[] words = index.split("[:,]", -1);
        String property = words.length > 2 ? ",\"" + words[2] + "\":true" : "";
        Path dump = Files.createDirectories(directory.resolve("dump-" + name));
        Files.write(dump.resolve(name + ".bson"), Imports.documents(count, document));
        Files.writeString(
                dump.resolve(name + ".metadata.json"),
                IndexedDump.metadata(
                        name,
                        "{\"v\":2,\"key\":{\"" + words[0] + "\":" + words[1] + "},\"name\":\"" + words[0] + "_"
                                + words[1] + "\"" + property + "}"));
        return dump;
    }
}
