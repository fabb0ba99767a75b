package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Timeline;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.Outage;
import io.pgstress.runner.Findings;
import io.pgstress.runner.TestContext;
import io.pgstress.target.Target;
import io.pgstress.testing.CountingProxy;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The silences of servers have the same times as the clients' operations: pauses are excluded from both. */
final class PauseTimeTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void silenceAfterAPauseIsInMeasuredTime() throws InterruptedException {
        String url = TestServer.freshDatabase("pause_time");
        TestServer.table(url, "docs", 10);
        try (CountingProxy proxy = new CountingProxy(TestServer.port())) {
            RunSpec spec = Runs.spec("-t docs -c 1 --url " + url.replace(":" + TestServer.port(), ":" + proxy.port()));
            try (TestContext context = new TestContext(spec, Target.open(spec));
                    Servers servers = new Servers(context.run(), 1)) {
                Timeline timeline = context.run().timeline();
                long now = System.nanoTime();
                timeline.start(now - 40 * SECOND); // the load has lasted for 40 s, including a pause of 30 s
                timeline.measure(now - 39 * SECOND, now + 60 * SECOND);
                timeline.pause(now - 35 * SECOND);
                timeline.shift(30 * SECOND);
                servers.start();
                servers.measureStarts();
                servers.first().begin(() -> true).orElse(false); // from here on, the checks count
                proxy.standStill();

                Findings findings = context.findings();
                servers.loadEnds();
                servers.contribute(findings);

                List<Outage> silent = findings.evidence().outages();
                assertThat(silent).hasSize(1).allMatch(Outage::silent);
                assertThat(silent.get(0).fromSeconds()).isBetween(8.9, 12.0);
                assertThat(silent.get(0).toSeconds()).isBetween(9.9, 16.0);
            }
        }
    }
}
