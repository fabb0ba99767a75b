package io.pgstress.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.Samples;
import io.pgstress.report.text.Facts.Fact;
import io.pgstress.report.text.Facts.Weight;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.IntervalResult.Counts;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.Workload.Think;
import io.pgstress.text.Records;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RunDetailsTest {
    private static List<String> lines(Facts facts, String label) {
        return facts.all().stream()
                .filter(fact -> fact.label().equals(label))
                .map(Facts.Fact::text)
                .toList();
    }

    private static RunResult pooling(@Nullable String kind) {
        RunResult run = Samples.closed();
        return run.with(run.header().with(List.of(Records.with(run.servers().get(0), "pooling", kind))));
    }

    /** Clients' connections to a pooler are not the server's sessions. */
    @Test
    void connectionsToAPoolerAreNotCalledSessions() {
        Facts pooled = new RunDetails(pooling("transaction")).setup();
        assertThat(lines(pooled, "connections")).hasSize(1);
        assertThat(lines(pooled, "sessions")).isEmpty();
        Facts direct = new RunDetails(pooling("none")).setup();
        assertThat(lines(direct, "sessions")).hasSize(1);
        assertThat(lines(direct, "through")).containsExactly("TCP proxy or port mapping");
    }

    @Test
    void severalRunsSayWhatIsBeforeTheirServers() {
        assertThat(lines(RunDetails.servers((Result) pooling("none")), "through"))
                .hasSize(1);
    }

    @Test
    void partOfTheIdsThatTheCopyTableHeldIsSaid() {
        RunResult run = Samples.closed();
        RunResult copied =
                run.with(Records.with(run.header(), "dataset", Records.with(run.dataset(), "copyRows", 1_688L)));
        assertThat(lines(new RunDetails(copied).setup(), "data"))
                .singleElement()
                .asString()
                .contains("1,688 of them at a time");
    }

    private static String clients(Think think) {
        RunResult run = Samples.closed();
        RunResult thinking = run.with(run.header()
                .with(Records.with(run.run(), "workload", Records.with(run.run().workload(), "think", think))));
        return new RunDetails(thinking)
                .setup().all().stream()
                        .filter(fact -> fact.label().equals("clients"))
                        .findFirst()
                        .orElseThrow()
                        .text();
    }

    private static List<Fact> checks(Remark... found) {
        RunResult run = Samples.closed();
        DatasetInfo data = Records.with(run.dataset(), "afterwards", List.of(found));
        RunResult checked = run.with(Records.with(run.header(), "dataset", data));
        return new RunDetails(checked)
                .result().all().stream()
                        .filter(fact -> fact.label().startsWith("check"))
                        .toList();
    }

    private static Remark deleted(String table) {
        return RemarkCode.DELETED_ROWS_GONE
                .with("operations", "oltp_delete")
                .with("deleted", 5L)
                .with("table", table)
                .with("by", "count(*)")
                .remark();
    }

    /** Eight of them would scroll the rate away. */
    @Test
    void checksThatPassedAreOneLineUnlessDetailsAreAskedFor() {
        Remark other = RemarkCode.OTHERS_WROTE
                .with("operations", "find_insert")
                .with("rows", 7L)
                .with("table", "docs")
                .remark();

        assertThat(checks(deleted("sbtest1"), other, deleted("sbtest2")))
                .filteredOn(fact -> fact.weight() == Weight.NORMAL)
                .extracting(Fact::text)
                .containsExactly("all 2 checks of what was written passed", other.text());
        assertThat(checks(deleted("sbtest1"), deleted("sbtest2")))
                .filteredOn(fact -> fact.weight() == Weight.DETAIL)
                .hasSize(2);
        assertThat(checks(deleted("sbtest1")))
                .containsExactly(new Fact("check", deleted("sbtest1").text(), Weight.NORMAL));
    }

    @Test
    void tablesOfAnOperationAreCounted() {
        RunResult run = Samples.closed();
        DatasetInfo own = new DatasetInfo("sbtest1", "int", 0, 0, null, 0, 0, null, List.of());
        RunResult several = run.with(Records.with(run.header(), "dataset", own)
                .with(Records.with(run.run(), "scenario", Map.of("tables", "3"))));

        assertThat(new RunDetails(several).title()).contains(" on sbtest1 (first of 3 tables): ");
        assertThat(lines(new RunDetails(several).setup(), "data")).containsExactly("sbtest1 (first of 3 tables)");
        assertThat(new RunDetails(run).title()).doesNotContain("first of");
    }

    /** It checks nothing. */
    @Test
    void creationOfTablesIsNoCheck() {
        Remark created = RemarkCode.TABLES_CREATED
                .with("seconds", 0.15)
                .with("steps", Map.of("rows", 0.15))
                .remark();

        assertThat(checks(created)).isEmpty();
    }

    @Test
    void whatTheWarmupMetIsSaid() {
        RunResult run =
                Samples.with(Samples.with(Samples.open(), "warmupIntervals", List.of()), "droppedFromWarmup", 3L);
        RunResult failing = Samples.with(
                run, "warmupIntervals", List.of(run.intervals().get(0).withCounts(new Counts(65, 462, 0, 0, 0))));

        assertThat(lines(new RunDetails(run).result(), "warm-up"))
                .containsExactly("3 operations that did not start before its end (excluded from rates and times)");
        assertThat(lines(new RunDetails(failing).result(), "warm-up").get(0)).startsWith("462 errors, 3 operations");
        assertThat(lines(new RunDetails(Samples.with(run, "droppedFromWarmup", 0L)).result(), "warm-up"))
                .isEmpty();
    }

    @Test
    void unfinishedOperationsAreLowerBounds() {
        Facts facts = new RunDetails(Samples.open()).result();

        assertThat(lines(facts, "failures").get(0)).contains("6 unfinished operations", "lower bounds");
        assertThat(lines(facts, "schedule").get(0)).contains("with those that never started");
    }

    @Test
    void stepsThatWereAllSustainedHaveNoColumnForTheHighest() {
        RunResult run = Samples.open();
        RunResult all = Samples.with(
                run,
                "rateSteps",
                run.load().open().rateSteps().stream()
                        .map(step -> Records.with(step, "knee", false))
                        .toList());

        assertThat(new RunTables(run).rateSteps().rows().get(0)).contains("sustained");
        assertThat(new RunTables(all).rateSteps().rows().get(0)).doesNotContain("sustained");
    }

    @Test
    void directoryOfUnixSocketsIsShownAsItIs() {
        RunResult run = Samples.closed();
        ServerInfo server =
                Records.with(run.servers().get(0), "url", "jdbc:postgresql://%2Frun%2Fso%20ck%20%C3%BC:5433/db?user=u");

        assertThat(new RunDetails(Samples.with(run, "servers", List.of(server)))
                        .setup().all().stream()
                                .filter(fact -> fact.label().equals("server"))
                                .map(fact -> fact.text()))
                .singleElement()
                .asString()
                .contains(" at /run/so ck \u00fc:5433/db");
    }

    @Test
    void clientsThatThinkAreSaidTo() {
        assertThat(clients(new Think(500_000, false))).contains("thinking 500 ms between operations");
        assertThat(clients(new Think(2_000, true)))
                .contains("thinking 2.00 ms on average (exponential) between operations");
    }
}
