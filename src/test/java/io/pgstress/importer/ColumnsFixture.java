package io.pgstress.importer;

import io.pgstress.importer.table.ColumnOptions;
import io.pgstress.importer.table.ColumnOptions.Misfit;
import io.pgstress.importer.table.ColumnSpec;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

/** A database for imports with typed columns. */
@Slow
abstract class ColumnsFixture extends ImportTestCase {
    @BeforeEach
    void tables() {
        TestServer.execute(url, "drop table if exists c, d, stress_imports, stress_import_chunks");
    }

    static ColumnOptions columns(Misfit misfit, String... specs) {
        return new ColumnOptions(Stream.of(specs).map(ColumnSpec::parse).toList(), misfit);
    }

    /** Documents {@code {_id, n, s}}; n is a string in the document with number 3 and missing in that with number 4. */
    static byte[] documents(int count) {
        return Imports.documents(count, (w, i) -> {
            w.int32("_id", i);
            switch (i) {
                case 3 -> w.string("n", "three");
                case 4 -> w.nothing("m");
                default -> w.int32("n", i);
            }
            w.string("s", "x".repeat(50));
        });
    }
}
