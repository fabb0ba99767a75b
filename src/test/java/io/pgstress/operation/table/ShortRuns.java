package io.pgstress.operation.table;

import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import org.junit.jupiter.api.BeforeEach;

/** Short runs of operations with their own tables, each test in its own database. */
public abstract class ShortRuns {
    protected String url;

    @BeforeEach
    void makeDatabase() {
        url = TestServer.emptyDatabase("workloads");
    }

    protected RunResult run(String options) {
        return Runs.run("-c 4 --think 2ms --warmup 0.02 -T 0.15 --url " + url, options);
    }

    /** A load to its end. */
    protected RunResult load(String... options) {
        return Runs.run("--op load -c 3 --url " + url, options);
    }
}
