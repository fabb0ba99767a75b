package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Phase;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.Workload;
import io.pgstress.target.Target;
import io.pgstress.testing.CountingProxy;
import io.pgstress.testing.Runs;
import io.pgstress.testing.RunsAlone;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures that must agree with each other and with independent counts. */
@Slow
final class TrueFiguresTest {
    private static String url;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("figures");
        TestServer.table(url, "docs", 5_000);
    }

    private static Map<Long, Long> buckets(LatencyHistogram histogram) {
        Map<Long, Long> buckets = new TreeMap<>();
        histogram.forEachBucket((nanos, count) -> buckets.merge(nanos, count, Long::sum));
        return buckets;
    }

    private static LatencyHistogram decoded(Latency latency) {
        return latency.decoded();
    }

    @Test
    void intervalsAndNodesAddUpToTheTotal() {
        RunResult run = Runs.run(
                "-t docs --op find_first:2,find_update:1 -c 6 --think 2ms --warmup 0.3 -T 2 -P 0.5 --url %s --url %s"
                        .formatted(url, url + "&tcpKeepAlive=true"));

        assertThat(run.nodes()).hasSize(2);
        assertThat(run.serverProfile().counts().database().get("tup_updated"))
                .as("both URLs lead to one server")
                .isEqualTo((double) run.operations()
                        .get("find_update")
                        .statements()
                        .get("update")
                        .callsInAll());
        LatencyHistogram ofIntervals = new LatencyHistogram();
        run.intervals().forEach(i -> ofIntervals.add(decoded(i.times().totalMicros())));
        LatencyHistogram ofOperations = new LatencyHistogram();
        LatencyHistogram ofNodes = new LatencyHistogram();
        for (String op : run.operations().keySet()) {
            ofOperations.add(decoded(run.operations().get(op).latencyMicros().get("total")));
            run.nodes()
                    .forEach(n -> ofNodes.add(
                            decoded(n.operations().get(op).latencyMicros().get("total"))));
        }
        assertThat(buckets(ofIntervals)).isEqualTo(buckets(ofOperations)).isEqualTo(buckets(ofNodes));
        long ok = run.operations().values().stream()
                .mapToLong(OperationResult::ok)
                .sum();
        assertThat(ofOperations.count()).isEqualTo(ok);
        long inWindow = run.operations().values().stream()
                .mapToLong(OperationResult::okInWindow)
                .sum();
        List<IntervalResult> measured =
                run.intervals().stream().filter(i -> i.in(Phase.MEASURE)).toList();
        assertThat(measured.stream().mapToLong(i -> i.counts().ok()).sum()).isEqualTo(inWindow);
        assertThat(measured.stream()
                        .flatMap(i -> i.places().nodesOk().values().stream())
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(inWindow);
        assertThat(run.operations().values().stream()
                        .mapToDouble(OperationResult::opsPerSecond)
                        .sum())
                .isCloseTo(inWindow / 2.0, within(1e-6));
    }

    @Test
    void recordsTheErrorsOfEachNodeByInterval() {
        String refused = url + "&options=-c%20lock_timeout=4321ms";
        TestServer.execute(
                url,
                "create function refuse() returns trigger language plpgsql as $$ begin"
                        + " if current_setting('lock_timeout') = '4321ms' then"
                        + " raise exception 'refused' using errcode = '22023'; end if; return new; end $$",
                "create trigger refuse before update on docs for each row execute function refuse()");
        RunResult run;
        try {
            run = Runs.run("-t docs --op find_update -c 2 --think 2ms --warmup 0 -T 1 --url %s --url %s"
                    .formatted(url, refused));
        } finally {
            TestServer.execute(url, "drop function refuse cascade");
        }

        assertThat(run.operations().get("find_update").errors()).containsOnlyKeys("22023");
        String failing = run.nodes().get(1).url();
        assertThat(run.intervals().get(0).places().nodesErrors()).isEqualTo(Map.of(failing, Set.of("22023")));
    }

    /** Both have a SQLSTATE of connections, but only one error ends the client's session. */
    @Test
    void recordsWhichConnectionErrorsEndedSessions() {
        String reports = url + "&options=-c%20lock_timeout=4321ms";
        String ends = url + "&options=-c%20lock_timeout=4322ms";
        TestServer.execute(
                url,
                "create function lose() returns trigger language plpgsql as $$ begin"
                        + " if current_setting('lock_timeout') = '4321ms' then"
                        + " raise exception 'connection to the remote node u@10.0.0.2:5432 failed' using errcode = '08006';"
                        + " elsif current_setting('lock_timeout') = '4322ms' then"
                        + " perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$",
                "create trigger lose before update on docs for each row execute function lose()");
        RunResult run;
        try {
            run = Runs.run("-t docs --op find_update -c 3 --think 2ms --warmup 0 -T 1 --url %s --url %s --url %s"
                    .formatted(url, reports, ends));
        } finally {
            TestServer.execute(url, "drop function lose cascade");
        }

        IntervalResult first = run.intervals().get(0);
        assertThat(first.places().remoteErrors()).isEqualTo(Map.of("08006", Set.of("10.0.0.2:5432")));
        assertThat(first.places().brokenSessions())
                .isEqualTo(Map.of(run.nodes().get(2).url(), Set.of("57P01")));
    }

    @Test
    void omitsAndReportsAServerWithoutClients() {
        String other = url + "&tcpKeepAlive=true";
        RunResult run =
                Runs.run("-t docs --op find_first -c 1 --warmup 0 -T 0.3 --url %s --url %s".formatted(url, other));

        assertThat(run.nodes()).hasSize(1);
        assertThat(run.load().outages()).isEmpty();
        assertThat(run.serverProfile().notes()).extracting(Remark::code).contains(RemarkCode.IDLE_SERVERS);
    }

    @Test
    @RunsAlone
    void statementsAddUpToTheServiceTime() {
        OperationResult update = Runs.run("-t docs --op find_update -c 2 --warmup 0.3 -T 1 --url " + url)
                .operations()
                .get("find_update");

        double statements = update.statements().values().stream()
                .mapToDouble(s -> s.latencyMicros().mean())
                .sum();
        assertThat(update.latencyMicros().get("service").mean()).isCloseTo(statements, within(statements * 0.01));
        assertThat(update.latencyMicros().get("total").mean())
                .isGreaterThanOrEqualTo(update.latencyMicros().get("service").mean());
    }

    @ParameterizedTest
    @RunsAlone
    @ValueSource(strings = {"100ms", "exponential:100ms"})
    void pausesOfClientsLimitTheRateAndAreNotInLatencies(String think) {
        RunResult run = Runs.run(
                "-t docs --op find_first:1,find_update:1 -c 16 --warmup 0.3 -T 1.5 --url " + url, "--think", think);

        assertThat(run.run().workload().think())
                .isEqualTo(new Workload.Think(100_000, think.startsWith("exponential")));
        double perSecond = run.total().opsPerSecond();
        double meanSeconds = run.total().latencyMicros().get("total").mean() / 1e6;
        assertThat(perSecond * (0.1 + meanSeconds)).as("clients").isCloseTo(16, within(4.0));
        assertThat(meanSeconds).isLessThan(0.1);
        assertThat(run.reasons())
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.IDLE_CLIENTS, RemarkCode.RATE_OF_WINDOW);
    }

    @Test
    void bytesEqualThoseOfAProxy() throws InterruptedException, SQLException {
        try (CountingProxy proxy = new CountingProxy(TestServer.port())) {
            RunSpec spec = Runs.spec("-t docs --op find -c 3 --think 2ms --warmup 0 -T 0.5 --limit-max 300 --url "
                    + url.replaceFirst(":\\d+/", ":" + proxy.port() + "/"));
            Target target = Target.open(spec);
            Runs.runner(spec, target, RunListener.NONE).run();

            assertThat(target.first().connector().bytes().bytesIn())
                    .isPositive()
                    .isEqualTo(proxy.toClient());
            assertThat(target.first().connector().bytes().bytesOut()).isEqualTo(proxy.toServer());
        }
    }

    @Test
    void zipfianDrawsOneIdVeryOften() {
        TestServer.execute(
                url,
                "drop table if exists hits",
                "create table hits (id int)",
                "create or replace function hit() returns trigger language plpgsql"
                        + " as 'begin insert into hits values (old._id); return null; end'",
                "create trigger hit after update on docs for each row execute function hit()");
        RunResult run = Runs.run(
                "-t docs --op find_update -c 4 --think 2ms --warmup 0 -T 1 --key-distribution zipfian --url " + url);
        TestServer.execute(url, "drop trigger hit on docs");

        assertThat(run.operations().get("find_update").ok()).isGreaterThan(100);
        long hits = TestServer.number(url, "select count(*) from hits");
        long hottest = TestServer.number(url, "select max(n) from (select count(*) n from hits group by id) ids");
        assertThat((double) hottest / hits).as("share of one id among 5,000").isBetween(0.05, 0.2); // uniform: 0.0002
    }
}
