package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Outcome;
import io.pgstress.result.IntervalResult.Places;
import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.verdict.SilentServers.Silence;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a server that did not answer its checks makes a run not valid. */
final class SilencesTest {
    @Test
    void serverSilentDuringTheMeasurementMakesTheRunInvalid() {
        Remarks before = silences(1, new Silence("dn1", "datanode", null, -4, -4, -1, true));
        assertThat(before.reasons()).isEmpty();
        assertThat(before.warnings()).hasSize(1);
        Remarks during = silences(1, new Silence("dn1", "datanode", null, 4, 6, 12, true));
        assertThat(during.reasons())
                .containsExactly(RemarkCode.SERVER_SILENT
                        .with("server", "dn1 (datanode)")
                        .with("fromSeconds", 4.0)
                        .with("to", "12.0 s")
                        .remark());
    }

    @Test
    void serverSilentOnlyAfterTheMeasurementLeavesTheRunValid() {
        Remarks after = silences(1, new Silence("dn1", "datanode", null, 59, 60.5, 64, false));

        assertThat(after.reasons()).isEmpty();
        assertThat(after.warnings()).hasSize(1);
    }

    @Test
    void reportsSilenceOfAllServersWithWhatToCheck() {
        Silence first = new Silence("c1", "coordinator", null, 4, 5, 12, true);
        Silence other = new Silence("dn1", "datanode", null, 6, 7, 20, false);
        Silence before = new Silence("dn1", "datanode", null, 1, 2, 4.5, true);

        assertThat(silences(2, first, before, other).all())
                .endsWith(RemarkCode.ALL_SERVERS_SILENT
                        .with("servers", 2)
                        .with("atSeconds", 9.0)
                        .with("hint", "perhaps the GTM did not answer")
                        .remark());
        assertThat(silences(2, first, before).all())
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.ALL_SERVERS_SILENT);
        assertThat(silences(2, first).all()).hasSize(1);
    }

    /** A GTM that hangs for 3 s: the checks of all nodes wait, each too briefly to be a silence. */
    @Test
    void lateAnswersOfAllServersInAnOutageAreReportedTogether() {
        PlayedRun run = new PlayedRun(60_000, 1, 0);
        run.busy(0, 0, 10_000).operation(0, Outcome.OK, 10_000, 13_000).busy(0, 13_000, 60_000);
        Evidence evidence = new Evidence();
        evidence.answers(run.answers("url"));
        evidence.servers(2, "perhaps the GTM did not answer");
        evidence.lateAnswer(new Silence("c1", "coordinator", "url", 10, 10.2, 13, true));
        evidence.lateAnswer(new Silence("dn1", "datanode", null, 10, 10.2, 13, true));
        evidence.lateAnswer(new Silence("c1", "coordinator", "url", 20, 20, 23, true)); // no outage
        evidence.lateAnswer(new Silence("dn1", "datanode", null, 20, 20, 23, true));

        assertThat(silences(evidence).all())
                .containsExactly(RemarkCode.ALL_SERVERS_SILENT
                        .with("servers", 2)
                        .with("atSeconds", 11.5)
                        .with("hint", "perhaps the GTM did not answer")
                        .remark());
        assertThat(evidence.outages())
                .extracting(Outage::silentServers)
                .containsExactly(List.of("c1 (coordinator)", "dn1 (datanode)"));
    }

    private static Remarks silences(int servers, Silence... silences) {
        Evidence evidence = new Evidence();
        evidence.servers(servers, "perhaps the GTM did not answer");
        List.of(silences).forEach(evidence::silence);
        return silences(evidence);
    }

    private static Remarks silences(Evidence evidence) {
        return silences(evidence, RunSample.run(Map.of("warmup", "1"), 100));
    }

    private static Remarks silences(Evidence evidence, RunResult result) {
        Remarks remarks = new Remarks();
        new OutcomeChecks(remarks, "docs").silences(evidence, 60, result);
        return remarks;
    }

    /** A crash that is over before a client notices an outage: the sessions of the load broke as the control connection did. */
    @Test
    void serverThatEndedSessionsMeanwhileIsNotSaidToHaveLostOnlyTheControlConnection() {
        RunResult ran = RunSample.run(Map.of("warmup", "1"), new double[20]);
        RunResult broken = ran.withIntervals(ran.intervals().stream()
                .map(interval -> interval.withPlaces(
                        new Places(Map.of(), Map.of(), Map.of(), Map.of("url", Set.of("57P03", "08006")), Map.of())))
                .toList());
        PlayedRun run = new PlayedRun(60_000, 1, 0);
        run.busy(0, 0, 60_000);
        Evidence evidence = new Evidence();
        evidence.answers(run.answers("url"));
        evidence.servers(1, "");
        evidence.silence(new Silence("url", Silence.SINGLE, "url", 4, 5, 12, true));

        assertThat(silences(evidence, ran).all())
                .extracting(Remark::code)
                .containsExactly(RemarkCode.CHECKS_UNANSWERED);
        assertThat(silences(evidence, broken).all())
                .containsExactly(RemarkCode.CHECKS_AND_SESSIONS_LOST
                        .with("server", "url")
                        .with("fromSeconds", 4.0)
                        .with("to", "12.0 s")
                        .with("states", "08006, 57P03")
                        .remark());
    }

    /**
     * One client's operations on a node end at one time and resume at another; the control connection is silent from 4 s to 12
     * s.
     */
    private static Remarks silentBeside(int fromMillis, int toMillis) {
        PlayedRun run = new PlayedRun(60_000, 1, 0);
        run.busy(0, 0, fromMillis)
                .operation(0, Outcome.OK, fromMillis, toMillis)
                .busy(0, toMillis, 60_000);
        return silentBeside(run);
    }

    @Test
    void serverWhoseOperationsContinuedIsNotUnavailable() {
        assertThat(silentBeside(30_000, 30_001).all())
                .containsExactly(RemarkCode.CHECKS_UNANSWERED
                        .with("server", "c1 (coordinator)")
                        .with("fromSeconds", 4.0)
                        .with("to", "12.0 s")
                        .remark());
    }

    /** The control connection is silent from 4 s to 12 s; the first check of it was sent at 5 s. */
    private static Remarks silentBeside(PlayedRun run) {
        Evidence evidence = new Evidence();
        evidence.answers(run.answers("url"));
        evidence.servers(1, "");
        evidence.silence(new Silence("c1", "coordinator", "url", 4, 5, 12, true));
        return silences(evidence);
    }

    private static void assertWentOn(PlayedRun run) {
        assertThat(silentBeside(run).all())
                .containsExactly(RemarkCode.CHECKS_UNANSWERED
                        .with("server", "c1 (coordinator)")
                        .with("fromSeconds", 4.0)
                        .with("to", "12.0 s")
                        .remark());
    }

    private static void assertWasUnavailable(PlayedRun run) {
        assertThat(silentBeside(run).reasons())
                .containsExactly(RemarkCode.SERVER_SILENT
                        .with("server", "c1 (coordinator)")
                        .with("fromSeconds", 4.0)
                        .with("to", "12.0 s")
                        .remark());
    }

    @Test
    void aLostControlConnectionBesideLongOperationsLeavesTheRunValid() {
        PlayedRun run = new PlayedRun(60_000, 9_000, 0, 0);
        for (int at = 0; at < 54_000; at += 9_000) {
            run.operation(0, Outcome.OK, at + 3_500, at + 12_600);
            run.operation(1, Outcome.OK, at + 3_800, at + 12_800);
        }

        assertWentOn(run);
    }

    @Test
    void aLostControlConnectionBesideALowRateLeavesTheRunValid() {
        PlayedRun run = new PlayedRun(60_000, 1, 0);
        for (int at = 3_000; at < 60_000; at += 5_000) {
            run.operation(0, Outcome.OK, at, at + 1);
        }

        assertWentOn(run);
    }

    @Test
    void aFrozenServerDelaysLongOperations() {
        PlayedRun run = new PlayedRun(60_000, 9_000, 0, 0);
        run.operation(0, Outcome.OK, 3_500, 19_500).operation(1, Outcome.OK, 3_800, 19_800);

        assertWasUnavailable(run);
    }

    @Test
    void operationsThatFailDuringASilenceDoNotContradictIt() {
        PlayedRun run = new PlayedRun(60_000, 1, 0);
        run.operation(0, Outcome.OK, 3_000, 3_001).operation(0, Outcome.FAILED, 7_000, 7_001);
        run.operation(0, Outcome.OK, 11_000, 11_001);

        assertWasUnavailable(run);
    }

    @Test
    void anAnswerAtTheEdgeOfASilenceDoesNotContradictIt() {
        PlayedRun run = new PlayedRun(60_000, 1, 0);
        run.operation(0, Outcome.OK, 5_010, 5_011).operation(0, Outcome.OK, 11_900, 11_901);

        assertWasUnavailable(run);
    }

    @Test
    void serverNamedBesideAnOutageHasNoSecondTime() {
        assertThat(silentBeside(5_500, 11_800).all()).isEmpty();
    }

    @Test
    void serverWithoutOperationsIsNotSaidToHaveContinued() {
        Evidence evidence = new Evidence();
        evidence.answers(new PlayedRun(60_000, 1, 0).answers("url"));
        evidence.silence(new Silence("c1", "coordinator", "url", 4, 5, 12, true));

        assertThat(silences(evidence).reasons())
                .containsExactly(RemarkCode.SERVER_SILENT
                        .with("server", "c1 (coordinator)")
                        .with("fromSeconds", 4.0)
                        .with("to", "12.0 s")
                        .remark());
    }
}
