package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.ColumnOptions;
import io.pgstress.importer.table.ColumnOptions.Misfit;
import io.pgstress.importer.table.ColumnSpec;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --column} on clusters, if the environment names one. */
@Slow
final class ColumnsOnServersTest {
    private static final String DROP =
            "drop table if exists columns_c, columns_c_import, stress_imports, stress_import_chunks";

    @TempDir
    private Path directory;

    @Test
    void generatesColumnsAndReplacesDuplicates() throws Exception {
        String url = System.getenv("PGSTRESS_TEST_CITUS_URL");
        assumeTrue(url != null, "PGSTRESS_TEST_CITUS_URL names no server");
        TestServer.execute(url, DROP);
        Imports imports = new Imports(url, directory);
        imports.verify = true;
        imports.columns = new ColumnOptions(
                List.of(
                        ColumnSpec.parse("n=n:int:index"),
                        ColumnSpec.parse("t=t:timestamptz"),
                        ColumnSpec.parse("d=t:date")),
                Misfit.NULL);

        CollectionSummary first = imports.one(imports.write("columns_c", documents(0)));
        imports.verify = false;
        imports.ifExists = IfExists.APPEND;
        imports.onDuplicate = OnDuplicate.REPLACE;
        CollectionSummary second = imports.one(imports.write("columns_c", documents(500)));

        assertThat(first.fault() + second.fault()).isEmpty();
        assertThat(TestServer.number(
                        url,
                        "select count(*) from columns_c where n::text = data ->> 'n'"
                                + " and d = date '2000-01-01' + _id and (t at time zone 'UTC')::date = d"))
                .isEqualTo(1_499);
        assertThat(TestServer.number(url, "select count(*) from columns_c where n is null"))
                .isEqualTo(1);
        TestServer.execute(url, DROP);
    }

    private static byte[] documents(int from) {
        return Imports.documents(1_000, (w, i) -> {
            w.int32("_id", from + i).date("t", 946_684_800_000L + 86_400_000L * (from + i));
            if (i == 999) {
                w.string("n", "last");
            } else {
                w.int32("n", from + 2 * i);
            }
        });
    }
}
