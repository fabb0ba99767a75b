package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool with fewer connections than clients: a remark says that operations wait for one. */
final class PoolQueueTest {
    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void table() {
        url = TestServer.freshDatabase("pool_queue");
        TestServer.execute(
                url,
                "create table c (_id int primary key, data jsonb)",
                "insert into c select i, '{}' from generate_series(1, 100) i");
    }

    private RunResult run(int connections) throws IOException {
        Path own = Files.writeString(directory.resolve("own.yaml"), "nap: {steps: [{sql: select pg_sleep(0.02)}]}\n");
        return Runs.run("-c 8 --pool hikari --pool-size %d --warmup 0 -T 1.5 --op nap --operations %s -t c --url %s"
                .formatted(connections, own, url));
    }

    @Test
    void mostOfTheTimeIsTheWaitForAConnection() throws IOException {
        Map<String, Object> figures = run(2).warnings().stream()
                .filter(remark -> remark.code() == RemarkCode.CONNECTION_WAITS)
                .findFirst()
                .orElseThrow()
                .figures();

        assertThat(figures).containsEntry("connections", 2).containsEntry("clients", 8);
        assertThat((double) figures.get("percent")).as("6 of 8 clients wait").isCloseTo(75, within(12.0));
    }

    @Test
    void oneConnectionPerClientIsNoQueue() throws IOException {
        assertThat(run(8).warnings()).extracting(Remark::code).doesNotContain(RemarkCode.CONNECTION_WAITS);
    }
}
