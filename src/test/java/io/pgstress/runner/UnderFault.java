package io.pgstress.runner;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Runs with a fault in the middle, on a table of their own. */
abstract class UnderFault {
    /** A closed load that leaves the machine to other tests: what faults do to it does not depend on its rate. */
    static final String PACED = " --think 5ms";

    static String url;

    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final List<Future<?>> failures = new ArrayList<>();

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("faults");
        TestServer.table(url, "docs", 5_000);
    }

    @AfterEach
    void nothingFailedMeanwhile() throws InterruptedException, ExecutionException {
        for (Future<?> done : failures) {
            done.get();
        }
        later.shutdown();
    }

    /** Runs an action once, at the end of a measured interval. */
    static RunListener atInterval(int index, Runnable action) {
        return new RunListener() {
            private int seen;

            @Override
            public void interval(IntervalResult result) {
                if (result.in(Phase.MEASURE) && ++seen == index) {
                    action.run();
                }
            }
        };
    }

    RunResult run(RunListener listener, String options) throws InterruptedException {
        return Runs.runner(Runs.spec("-t docs -c 8 --warmup 0.5 --url " + url, options), listener)
                .run();
    }

    void after(Runnable action, long millis) {
        failures.add(later.schedule(action, millis, TimeUnit.MILLISECONDS));
    }
}
