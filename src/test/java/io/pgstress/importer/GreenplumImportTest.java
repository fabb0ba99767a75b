package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Imports into Greenplum 6, which is PostgreSQL 9.4 and has no ON CONFLICT, if the environment names one. */
@Slow
final class GreenplumImportTest {
    private static final String VARIABLE = "PGSTRESS_TEST_GREENPLUM_URL";
    private static final String DROP =
            "drop table if exists gp_docs, gp_docs_import, stress_progress.stress_imports, stress_progress.stress_import_chunks";

    @TempDir
    private Path directory;

    private String url = "";

    @BeforeEach
    void dropTables() {
        String named = System.getenv(VARIABLE);
        assumeTrue(named != null, VARIABLE + " names no server");
        url = named;
        TestServer.execute(url, DROP);
    }

    @AfterEach
    void dropTablesAgain() {
        if (!url.isEmpty()) {
            TestServer.execute(url, DROP);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "appendonly=true, orientation=column, compresstype=zlib", "appendonly=true"})
    void skipsAndReplacesDuplicates(String storage) throws Exception {
        Imports imports = new Imports(url, directory);
        imports.tableOptions = new TableOptions(0, 0, storage);
        imports.verify = true;
        assertThat(imports.one("gp_docs", Imports.numbered(1_000, i -> i)).fault())
                .isEmpty();
        imports.verify = false;
        imports.tableOptions = TableOptions.DEFAULT;
        imports.ifExists = IfExists.APPEND;
        imports.onDuplicate = OnDuplicate.REPLACE;
        assertThat(imports.one("gp_docs", Imports.numbered(1_000, i -> i + 500)).fault())
                .isEmpty();
        imports.onDuplicate = OnDuplicate.SKIP;
        assertThat(imports.one("gp_docs", Imports.numbered(1_000, i -> i + 1_000))
                        .duplicates())
                .isEqualTo(500);

        assertThat(TestServer.number(
                        url,
                        "select count(*) from gp_docs where (data->>'n')::int = case when _id < 500 then _id"
                                + " when _id < 1500 then _id - 500 else _id - 1000 end"))
                .isEqualTo(2_000);
        assertThat(TestServer.number(url, "select count(distinct gp_segment_id) from gp_docs"))
                .isEqualTo(TestServer.number(url, "select count(*) from gp_dist_random('gp_id')"));
    }

    @Test
    void waitsForTheTransactionThatHasEnteredTheChunk() throws Exception {
        DuplicatesTest.assertEntersAfterAnother(url, TableName.parse("gp_docs"));
    }
}
