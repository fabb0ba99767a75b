package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.report.Samples;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Places;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.ReachedSessions;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.text.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an outage makes a result not valid. */
final class UnavailabilityTest {
    /** A server that ends, or a crash, breaks the control connection as well; then the checks are unanswered. */
    @ParameterizedTest
    @CsvSource({
        "57P01, , CONNECTIONS_BROKE",
        "08006, , CONNECTIONS_BROKE",
        "08006, w1, SERVER_UNAVAILABLE",
        "57P02, , SERVER_UNAVAILABLE",
        "57P03, , SERVER_UNAVAILABLE"
    })
    void connectionsBreakOfAServerThatAnswersItsChecks(String state, String silent, RemarkCode code) {
        Outage outage = new Outage(4, 4.152, null).withSilentServers(silent == null ? List.of() : List.of(silent));

        RunResult result = Judge.judged(outage(outage, state));

        assertThat(result.remarks()).singleElement().satisfies(remark -> {
            assertThat(remark.code()).isEqualTo(code);
            assertThat(remark.figures()).containsEntry("fromSeconds", 4.0).containsEntry("toSeconds", 4.152);
            assertThat(remark.text()).contains(state);
        });
        assertThat(result.valid()).isEqualTo(code == RemarkCode.CONNECTIONS_BROKE);
    }

    /** What is said instead of the outage itself. */
    private static List<Remark> causes(RunResult result) {
        return result.remarks().stream()
                .filter(remark -> remark.code() != RemarkCode.OUTAGE)
                .toList();
    }

    /** Such as a read-only server that refuses every update at once. */
    @Test
    void operationsThatAllFailedAreNoOutage() {
        OperationResult refused =
                Samples.operation(0, Map.of("25006", new OperationResult.ErrorCount(30, "read-only")), Map.of());
        RunResult result =
                Samples.with(outage(new Outage(0, 10, null), "25006"), "operations", Map.of("find_update", refused));

        assertThat(Judge.judged(result).remarks())
                .extracting(Remark::code)
                .contains(RemarkCode.NO_SUCCESS)
                .doesNotContain(RemarkCode.TOO_MANY_FAILED, RemarkCode.OUTAGE, RemarkCode.MOSTLY_IDLE);
    }

    @Test
    void errorsOfANodeAtAnotherTimeAreNoEvidenceOfItsOutage() {
        RunResult result = outage(new Outage(4, 4.9, "b"), "08006");

        assertThat(causes(Judge.judged(withBroken(result, "a", "b")))).isEmpty();
        assertThat(causes(Judge.judged(withBroken(result, "b", "a"))))
                .extracting(Remark::code)
                .containsExactly(RemarkCode.CONNECTIONS_BROKE);
    }

    /** An outage in which sessions of one node broke, and those of the other at the end. */
    private static RunResult withBroken(RunResult result, String during, String atTheEnd) {
        List<IntervalResult> intervals = new ArrayList<>();
        for (IntervalResult interval : result.intervals()) {
            String node = interval.atSeconds() == 4 ? during : interval.atSeconds() == 9 ? atTheEnd : "";
            intervals.add(Samples.with(
                    interval, "brokenSessions", node.isEmpty() ? Map.of() : Map.of(node, List.of("08006"))));
        }
        return result.withIntervals(intervals);
    }

    @Test
    void shortOutageLeavesTheRunValid() {
        assertThat(Judge.judged(outage(new Outage(4, 4.9, null), "40P01")).valid())
                .isTrue();
        assertThat(Judge.judged(outage(new Outage(4, 5, null), null)).valid()).isTrue();
    }

    @Test
    void tenthOfTheTimeWithoutSuccessIsNotValid() {
        assertThat(Judge.judged(outage(new Outage(7, 10, "b"), null)).valid()).isTrue();
        RunResult twice = Judge.judged(with(outage(new Outage(2, 3, null), null), new Outage(9, 10.5, null)));
        assertThat(twice.reasons())
                .containsExactly(RemarkCode.MOSTLY_IDLE.with("percent", 20.0).remark());
    }

    /** An administrator ends the sessions of a role, which may not log in for two seconds. */
    @Test
    void refusalOfNewSessionsIsTheCauseOfTheOutage() {
        Outage outage = new Outage(4, 6, null);
        String refused = "role \"bench\" is not permitted to log in";
        OperationResult operation = Samples.operation(
                1_000,
                Map.of(
                        "57P01", new OperationResult.ErrorCount(4, "terminating connection"),
                        "28000", new OperationResult.ErrorCount(6, refused),
                        "40P01", new OperationResult.ErrorCount(90, "deadlock detected")),
                Map.of());
        List<IntervalResult> intervals = new ArrayList<>();
        for (IntervalResult interval : outage(outage, "57P01").intervals()) {
            boolean isOut = outage.meets(interval);
            intervals.add(
                    Samples.with(interval, "errors", isOut ? Map.of("57P01", 2, "28000", 3, "40P01", 4) : Map.of()));
        }
        RunResult run =
                Samples.with(outage(outage, "57P01").withIntervals(intervals), "operations", Map.of("find", operation));

        RunResult judged = Judge.judged(run);

        assertThat(judged.reasons())
                .contains(RemarkCode.MOSTLY_IDLE
                        .with("percent", 20.0)
                        .with("cause", "error 28000: " + refused)
                        .remark());
        assertThat(judged.warnings())
                .filteredOn(warning -> warning.code() == RemarkCode.CONNECTIONS_BROKE)
                .singleElement()
                .satisfies(warning -> assertThat(warning.figures()).containsEntry("evidence", "28000, 57P01"));
    }

    /** One operation was told of it before the server ended. */
    @Test
    void fullDiskIsEvidenceOfAServerThatEnded() {
        Outage outage = new Outage(4, 10, null).withSilentServers(List.of("a"));
        RunResult run = outage(outage, "57P03");
        List<IntervalResult> intervals = new ArrayList<>(run.intervals());
        intervals.set(4, Samples.with(intervals.get(4), "errors", Map.of("53100", 1, "57P03", 2, "40P01", 1)));

        assertThat(Judge.judged(run.withIntervals(intervals)).reasons())
                .filteredOn(reason -> reason.code() == RemarkCode.SERVER_UNAVAILABLE)
                .singleElement()
                .satisfies(reason -> assertThat(reason.figures())
                        .containsEntry("evidence", "53100, 57P03, health checks unanswered"));
    }

    /** A server that ends a session says so; the driver says 08006 of a connection that it has closed itself. */
    @ParameterizedTest
    @CsvSource({"08006, 1", "57P01,"})
    void socketTimeoutOfTheClientIsTheFirstCauseOfBrokenConnections(String state, Integer timeout) {
        Evidence evidence = new Evidence();
        evidence.caution(RemarkCode.SOCKET_TIMEOUT
                .with("url", "jdbc:postgresql://a/db?socketTimeout=1")
                .with("seconds", 1)
                .remark());

        RunResult judged = Judge.judged(outage(new Outage(4, 4.9, null), state), evidence);

        assertThat(judged.warnings())
                .filteredOn(warning -> warning.code() == RemarkCode.CONNECTIONS_BROKE)
                .singleElement()
                .satisfies(warning -> assertThat(warning.figures().get("socketTimeoutSeconds"))
                        .isEqualTo(timeout));
    }

    @Test
    void serverThatFailedItsChecksTooWasUnavailableDuringTheOutage() {
        Outage frozen = new Outage(4, 7.207, null).withSilentServers(List.of("w1 (worker)"));
        assertUnavailable(frozen, null);
        assertUnavailable(frozen.withAnswerAt(5.1), 5.1);
    }

    private static void assertUnavailable(Outage frozen, @Nullable Double answeredAt) {
        RunResult result = Judge.judged(outage(frozen, null).withRemarks(Samples.reasons("some reason"), List.of()));
        assertThat(result.reasons())
                .startsWith(RemarkCode.SERVER_UNAVAILABLE
                        .with("server", "w1 (worker)")
                        .with("answeredAtSeconds", answeredAt)
                        .with("fromSeconds", 4.0)
                        .with("toSeconds", 7.207)
                        .with("periods", null)
                        .with("seconds", null)
                        .with("evidence", "health checks unanswered")
                        .remark());
    }

    /** Citus reports a lost worker as 08006 on the client's session, which stays open. */
    @Test
    void workerThatTheCoordinatorLostIsNamed() {
        RunResult result = outage(new Outage(4, 4.152, null), "08006");

        RunResult judged = Judge.judged(withRemoteErrors(result, Map.of("08006", Set.of("127.0.0.1:9702")), false));

        assertThat(judged.warnings())
                .contains(RemarkCode.REMOTE_SERVER_LOST
                        .with("coordinator", "The coordinator")
                        .with("server", "127.0.0.1:9702")
                        .with("fromSeconds", 4.0)
                        .with("toSeconds", 4.152)
                        .with("periods", null)
                        .with("seconds", null)
                        .with("evidence", "08006")
                        .remark());
        assertThat(judged.remarks()).extracting(Remark::code).doesNotContain(RemarkCode.CONNECTIONS_BROKE);
    }

    /** The driver says so of its own session, too. */
    @Test
    void coordinatorThatBrokeIsNoLostWorkerAlthoughItReportedOneByTheSameState() {
        RunResult result = outage(new Outage(4, 4.152, null), "08006");

        RunResult judged = Judge.judged(withRemoteErrors(result, Map.of("08006", Set.of("127.0.0.1:9702")), true));

        assertThat(causes(judged)).extracting(Remark::code).containsExactly(RemarkCode.CONNECTIONS_BROKE);
    }

    private static IntervalResult withRemoteErrors(
            IntervalResult interval, Map<String, Set<String>> errors, boolean isBroken) {
        Places of = interval.places();
        return interval.withPlaces(new Places(
                of.nodesOk(), of.hostsOk(), of.nodesErrors(), isBroken ? of.brokenSessions() : Map.of(), errors));
    }

    /** @param isBroken whether the errors ended some of the clients' sessions */
    private static RunResult withRemoteErrors(RunResult result, Map<String, Set<String>> errors, boolean isBroken) {
        return result.withIntervals(result.intervals().stream()
                .map(interval -> interval.errors().isEmpty() ? interval : withRemoteErrors(interval, errors, isBroken))
                .toList());
    }

    @Test
    void outagesOfOneCauseAreOneRemark() {
        RunResult result = with(
                with(outage(new Outage(4, 4.15, null), "08006"), new Outage(4.2, 4.4, null)),
                new Outage(4.5, 4.75, null));

        RunResult judged = Judge.judged(result);

        assertThat(judged.remarks())
                .filteredOn(remark -> remark.code() == RemarkCode.CONNECTIONS_BROKE)
                .singleElement()
                .satisfies(remark -> assertThat(remark.figures())
                        .containsEntry("fromSeconds", 4.0)
                        .containsEntry("toSeconds", 4.75)
                        .containsEntry("periods", 3)
                        .hasEntrySatisfying(
                                "seconds", s -> assertThat((double) s).isCloseTo(0.6, within(1e-9))));
    }

    /** All sessions after the loss reached another server of the URL. A switch at another time has not caused the outage. */
    @ParameterizedTest
    @CsvSource({
        "4.5, FAILOVER",
        "4.95, FAILOVER",
        "3.5, CONNECTIONS_BROKE",
        "-3, CONNECTIONS_BROKE",
        ", CONNECTIONS_BROKE",
        "7, CONNECTIONS_BROKE"
    })
    void sessionsThatMovedToAnotherServerInTheOutageFailedOver(Double at, RemarkCode code) {
        assertThat(reached(List.of(reachedA(8), reachedB(8, at, "a:5432")))).isEqualTo(code);
        assertThat(reached(List.of(reachedA(8), reachedB(8, at, null)))).isEqualTo(RemarkCode.CONNECTIONS_BROKE);
    }

    /** The hosts number their sessions alike, so that only each of them knows which came first. */
    @Test
    void failoverOnSeveralHostsIsOne() {
        List<ReachedSessions> together = ReachedSessions.together(List.of(
                List.of(reachedA(8), reachedB(8, 4.3, "a:5432")), List.of(reachedA(16), reachedB(20, 4.2, "a:5432"))));

        assertThat(together).containsExactly(reachedA(24), reachedB(28, 4.2, "a:5432"));
        assertThat(reached(together)).isEqualTo(RemarkCode.FAILOVER);
    }

    private static ReachedSessions reachedA(long sessions) {
        return new ReachedSessions("a:5432", "2026-01-01", "1", false, sessions, null, null);
    }

    private static ReachedSessions reachedB(long sessions, Double at, String predecessor) {
        return new ReachedSessions("b:5432", "2026-01-02", "1", false, sessions, at, predecessor);
    }

    /** The cause of an outage between 4 s and 4.9 s. */
    private static RemarkCode reached(List<ReachedSessions> reached) {
        NodeResult node = Records.with(Samples.closed().nodes().get(0), "reached", reached);
        RunResult judged =
                Judge.judged(Samples.with(outage(new Outage(4, 4.9, null), "08006"), "nodes", List.of(node)));
        assertThat(causes(judged)).hasSize(1);
        return causes(judged).get(0).code();
    }

    private static RunResult outage(Outage outage, String state) {
        List<IntervalResult> intervals = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            boolean isOut = i < outage.toSeconds() && i + 1 > outage.fromSeconds();
            intervals.add(RunSample.interval(Samples.closed().intervals().get(0), i, 100, isOut ? state : null));
        }
        return with(
                RunSample.changed(Samples.closed(), Map.of("warmup", "auto")).withIntervals(intervals), outage);
    }

    private static RunResult with(RunResult result, Outage outage) {
        List<Outage> outages = new ArrayList<>(result.load().outages());
        outages.add(outage);
        return Samples.with(result, "outages", outages);
    }
}
