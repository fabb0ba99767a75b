package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.extra.indexes.IndexMode;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.IndexResult.Part;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code import --indexes create} on a cluster, if the environment names one. */
@Slow
final class ClusterIndexesTest {
    private static final String SCHEMA = "stress_indexes";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"PGSTRESS_TEST_CITUS_URL", "PGSTRESS_TEST_POSTGRES_XL_URL"})
    void createsWhatTheDistributionAllows(String variable) throws Exception {
        String server = System.getenv(variable);
        assumeTrue(server != null, variable + " names no server");
        TestServer.execute(server, "drop schema if exists " + SCHEMA + " cascade", "create schema " + SCHEMA);
        String url = server + (server.contains("?") ? "&" : "?") + "currentSchema=" + SCHEMA;
        try {
            Imports imports = new Imports(url, directory);
            imports.jobs = 3;
            imports.indexes = IndexMode.CREATE;
            Path dump = IndexedDump.write(directory);

            CollectionSummary orders = imports.one(dump);

            assertThat(orders.indexes())
                    .allSatisfy(index -> assertThat(index.fault()).isEmpty());
            assertThat(orders.indexes())
                    .filteredOn(index -> index.indexes().isEmpty())
                    .hasSize(9);
            assertThat(orders.indexes())
                    .flatExtracting(IndexResult::indexes)
                    .allSatisfy(part -> assertThat(part.bytes()).as(part.name()).isPositive())
                    .extracting(Part::definition)
                    .noneMatch(definition -> definition.startsWith("unique"));
            assertThat(orders.indexes())
                    .filteredOn(index -> index.name().equals("customer.email_1"))
                    .flatExtracting(IndexResult::notes)
                    .containsExactly(
                            "not unique: the table is distributed by _id, which every unique index must contain");
            imports.resume = true;
            assertThat(imports.one(dump).indexes())
                    .flatExtracting(IndexResult::indexes)
                    .extracting(Part::state)
                    .containsOnly("exists");
        } finally {
            TestServer.execute(server, "drop schema if exists " + SCHEMA + " cascade");
        }
    }
}
