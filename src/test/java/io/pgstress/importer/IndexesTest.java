package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.extra.indexes.IndexMode;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.IndexResult.Part;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code import --indexes}: an index of each kind, what serves its queries, and what cannot be created. */
@Slow
final class IndexesTest extends IndexesFixture {
    @TempDir
    private static Path ordersDirectory;

    private static CollectionSummary orders;

    @BeforeAll
    static void importOrders() throws Exception {
        Imports imports = new Imports(url, ordersDirectory);
        imports.jobs = 2;
        imports.indexes = IndexMode.CREATE;
        orders = imports.one(IndexedDump.write(ordersDirectory));
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
        assertThat(orders.indexes())
                .filteredOn(index -> index.indexes().isEmpty())
                .hasSize(9)
                .allSatisfy(index -> assertThat(index.notes()).hasSize(1));
    }

    /** The plans in the documentation are those of the server, and each uses the index that the page says. */
    @Test
    void servesTheQueriesThatTheDocumentationNames() throws Exception {
        List<String> plans = new ArrayList<>();
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            statement.execute("set enable_seqscan = off");
            plans.addAll(comparePlans(statement, Path.of("docs/indexes.md")));
        }

        assertThat(plans)
                .hasSizeGreaterThan(10)
                .allSatisfy(plan -> assertThat(plan).contains("Index"));
        assertThat(orders.indexes())
                .filteredOn(index -> !index.indexes().isEmpty())
                .allSatisfy(index -> assertThat(plans).anyMatch(plan -> plan.contains("orders_" + index.name())));
    }

    @Test
    void appendCreatesNoIndexTwice() throws Exception {
        imports.ifExists = IfExists.APPEND;
        Path dump = directory.resolve("second");
        Files.createDirectories(dump);
        String metadata = Files.readString(ordersDirectory.resolve("shop/orders.metadata.json"));
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
        imports.indexes = IndexMode.REPORT;
        CollectionSummary summary = imports.one(dump("planned", "a:1", 3, (w, i) -> w.int32("_id", i)));

        assertThat(index(summary, "a_1").indexes()).extracting(Part::state).containsExactly("planned");
        assertThat(indexes("planned")).isEqualTo(1);
    }

    @Test
    void noneLooksAtNothing() throws Exception {
        imports.indexes = IndexMode.NONE;

        assertThat(imports.one(dump("none", "a:1", 3, (w, i) -> w.int32("_id", i)))
                        .indexes())
                .isEmpty();
    }

    @Test
    void anAtomicImportCreatesThemOnTheFinalTable() throws Exception {
        imports.atomic = true;

        CollectionSummary summary = imports.one(dump("whole", "a:1", 3, (w, i) -> w.int32("_id", i)));

        assertThat(index(summary, "a_1").indexes()).extracting(Part::state).containsExactly("created");
        assertThat(indexes("whole")).isEqualTo(2);
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
}
