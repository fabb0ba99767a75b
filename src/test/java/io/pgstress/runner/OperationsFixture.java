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
        url = TestServer.emptyDatabase("operations");
        TestServer.table(url, "docs", ROWS);
    }

    RunResult run(String options) {
        return Runs.run("-t docs -c 4 --warmup 0 -T 0.3 --url " + url, options);
    }
}
