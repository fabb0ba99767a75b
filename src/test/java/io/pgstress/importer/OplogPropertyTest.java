package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.extra.oplog.Oplog;
import io.pgstress.importer.Replay.OplogSummary;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table after a replay is equal to that of the documents at the end of the same random operations. */
final class OplogPropertyTest {
    /** 100,000 in both tests together. */
    private static final int OPERATIONS = 50_000;

    private static final int KEYS = 2_000;

    @TempDir
    private Path dump;

    @TempDir
    private Path directory;

    private OplogModel operations(long seed) throws IOException {
        OplogModel model = new OplogModel("shop.things", KEYS, seed);
        model.run(OPERATIONS);
        Files.createDirectory(dump.resolve("shop"));
        Files.write(dump.resolve("shop").resolve("things.bson"), model.dump());
        Files.writeString(dump.resolve("shop").resolve("things.metadata.json"), "{}");
        Files.write(dump.resolve("oplog.bson"), model.oplog());
        return model;
    }

    private Imports imports(String url) throws IOException {
        Imports imports = new Imports(url, directory);
        imports.oplog = Oplog.find(dump.toString(), null, DumpFilter.ALL, 0);
        return imports;
    }

    /** The number of rows in which the table differs from an import of the documents at the end. */
    private long differences(String url, OplogModel model) throws Exception {
        new Imports(url, directory).one("expected", model.result());
        assertThat(TestServer.number(url, "select count(*) from expected")).isGreaterThan(KEYS / 4);
        return TestServer.number(
                url,
                "select count(*) from things t full join expected e using (_id)"
                        + " where t.data is distinct from e.data");
    }

    @Test
    void replayGivesTheDocumentsOfTheModel() throws Exception {
        OplogModel model = operations(22);
        String url = TestServer.freshDatabase("oplog_property");

        OplogSummary summary = imports(url).run(dump).oplog();

        assertThat(summary).isNotNull();
        assertThat(summary.rejects()).isEmpty();
        assertThat(summary.fault()).isEmpty();
        long applied =
                summary.applied().values().stream().mapToLong(Long::longValue).sum();
        assertThat(applied + summary.missing()).isEqualTo(model.operations());
        assertThat(differences(url, model)).isZero();
    }

    @Test
    void replayThatWasCutOffIsResumed() throws Exception {
        OplogModel model = operations(23);
        String url = TestServer.freshDatabase("oplog_cut");
        imports(url).cutOff(dump, 20);
        assertThat(TestServer.number(url, "select applied from stress_oplog_replays"))
                .isBetween(5_000L, OPERATIONS - 5_000L);

        Imports resumed = imports(url);
        resumed.resume = true;
        OplogSummary summary = resumed.run(dump).oplog();

        assertThat(summary).isNotNull();
        assertThat(summary.skipped()).isGreaterThanOrEqualTo(5_000);
        assertThat(differences(url, model)).isZero();
    }
}
