package io.pgstress.extra.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Documents;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.extra.diff.DiffSummary.TableDiff;
import io.pgstress.importer.ImportListener;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.testing.NamedPipe;
import io.pgstress.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Comparisons with a dump on standard input, and interrupts. */
final class DumpDiffTest {
    private static final int ROWS = 1000;

    private static String url;

    @BeforeAll
    static void database() {
        url = TestServer.freshDatabase("dump_diff");
        TestServer.table(url, "stdin", ROWS);
        TestServer.execute(url, "update stdin set data = '{\"_id\": 7}' where _id = 7");
    }

    private static byte[] documents() {
        return Documents.of(ROWS, (w, i) -> w.int32("_id", i + 1).string("n", "x" + (i + 1)));
    }

    private static DiffSummary diff(byte[] stdin, ImportListener listener) throws Exception {
        return diff("-", stdin, listener);
    }

    private static DiffSummary diff(String path, byte[] stdin, ImportListener listener) throws Exception {
        DiffOptions options =
                new DiffOptions(JsonOptions.of(ExtendedJson.RELAXED), false, Naming.AS_DUMPED, OnDuplicate.FAIL, 1, 9);
        try (DiffInput input = DiffInput.of(List.of(path), new ByteArrayInputStream(stdin), DumpFilter.ALL)) {
            return new DumpDiff(TestServer.connector(url), options, listener).run(input);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void standardInputIsReadTwice(boolean zipped) throws Exception {
        TableDiff found = diff(zipped ? Documents.gzip(documents()) : documents(), ImportListener.NONE)
                .tables()
                .get(0);

        assertThat(found.equal()).isEqualTo(ROWS - 1);
        assertThat(found.differentRows())
                .containsExactly(new DifferentRow("7", List.of(new PathDifference("n", "\"x7\"", null)), false, null));
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a pipe that is read twice blocks for good
    void pipeIsReadTwice(@TempDir Path directory) throws Exception {
        Path pipe = directory.resolve("pipe");
        CompletableFuture<Path> writer = NamedPipe.of(pipe, documents());

        TableDiff found =
                diff(pipe.toString(), new byte[0], ImportListener.NONE).tables().get(0);

        assertThat(found.equal()).isEqualTo(ROWS - 1);
        assertThat(writer.get(60, TimeUnit.SECONDS)).isEqualTo(pipe);
    }

    @Test
    void interruptEndsTheComparison() {
        ImportListener interrupting =
                (rows, bytesRead, bytesTotal) -> Thread.currentThread().interrupt();

        assertThatThrownBy(() -> diff(documents(), interrupting)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(TestServer.number(
                        url,
                        "select count(*) from pg_stat_activity where datname = current_database() and state <> 'idle'"
                                + " and pid <> pg_backend_pid()"))
                .isZero();
    }
}
