package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.ServerProfile;
import io.pgstress.runner.Findings;
import io.pgstress.runner.TestContext;
import io.pgstress.target.Target;
import io.pgstress.testing.CountingProxy;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import org.junit.jupiter.api.Test;

/** A node that accepts connections and statements but no longer answers, beside one that does. */
@Slow
final class SilentNodeTest {
    private static final long MAX_SECONDS = 3;

    @Test
    void silentNodeDoesNotAffectTheFiguresOfOthers() throws InterruptedException {
        String url = TestServer.freshDatabase("silent_node");
        String port = ":" + TestServer.port();
        try (CountingProxy proxy = new CountingProxy(TestServer.port())) {
            String through = url.replace(port, ":" + proxy.port());
            RunSpec spec = Runs.spec("-t docs -c 2 --set jit=off --url " + through + " --url " + url);
            TestServer.table(url, "docs", 10);
            try (TestContext context = new TestContext(spec, Target.open(spec));
                    Servers servers = new Servers(context.run(), MAX_SECONDS)) {
                servers.start();
                proxy.standStill();
                TestServer.execute(url, "select count(*) from docs");

                long start = System.nanoTime();
                servers.measureStarts();
                servers.sample(start);
                Findings findings = context.findings();
                servers.loadEnds();
                servers.contribute(findings);
                new SettingsInForce(context.run(), servers).contribute(findings);
                assertThat(findings.servers())
                        .extracting(server -> server.settings().get("jit"))
                        .containsExactly("not read: the node did not answer", "off");
                assertThat((System.nanoTime() - start) / 1e9).isLessThan(MAX_SECONDS + 4.0);

                ServerProfile profile = findings.profile();
                assertThat(profile.counts().database()).containsKey("xact_commit");
                assertThat(profile.counts().wal()).isNotEmpty();
                assertThat(profile.counts().statements())
                        .anyMatch(s -> s.query().contains("count(*)"));
                assertThat(profile.counts().statements()).allMatch(s -> s.node().equals(masked(url)));
                assertThat(profile.notes())
                        .containsExactly(RemarkCode.SILENT_AFTER_RUN
                                .with("server", masked(through))
                                .remark());
            }
        }
    }

    private static String masked(String url) {
        return new Endpoint(url, 0).masked();
    }
}
