package io.pgstress.runner;

import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import org.junit.jupiter.api.BeforeEach;

/** A table of documents, and runs on it. */
@Slow
abstract class OperationsFixture {
    static final int ROWS = 2_000;

    String url;

    @BeforeEach
    void makeTable() {
        url = TestServer.freshDatabase("operations");
        TestServer.table(url, "docs", ROWS);
    }

    RunResult run(String op, String... more) {
        String[] base = {"url", url, "table", "docs", "op", op, "threads", "4", "warmup", "0", "duration", "0.3"};
        String[] all = java.util.Arrays.copyOf(base, base.length + more.length);
        System.arraycopy(more, 0, all, base.length, more.length);
        return Runs.run(all);
    }
}
