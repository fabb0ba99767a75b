package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Outage;
import io.pgstress.verdict.SilentServers.Silence;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks of the servers show which one was silent; the clients show when nothing succeeded. */
final class SilentServersTest {
    private static final Outage MET = new Outage(4.012, 5.731, null);

    private static Silence of(String node, String role, String url, double from, double to) {
        return new Silence(node, role, url, from, from, to, true);
    }

    @Test
    void namesSilentServersBesideTheOutage() {
        SilentServers silent = new SilentServers(
                List.of(MET),
                List.of(of("c", "coordinator", "url", 2.2, 6.4), of("w1", "worker", null, 2.2, 6.4)),
                List.of(),
                s -> false);

        assertThat(silent.outages()).containsExactly(MET.withSilentServers(List.of("c (coordinator)", "w1 (worker)")));
        assertThat(silent.others()).isEmpty();
    }

    @Test
    void serverWhoseOperationsSucceededWasNotUnavailable() {
        SilentServers silent =
                new SilentServers(List.of(MET), List.of(of("c", "coordinator", "url", 7, 9)), List.of(), s -> true);

        assertThat(silent.outages()).containsExactly(MET);
        assertThat(silent.others()).hasSize(1).allMatch(silent::isContradicted);
    }

    @Test
    void serverWithoutClientsHasTheTimesOfItsChecks() {
        SilentServers silent =
                new SilentServers(List.of(), List.of(of("w1", "worker", null, -1, 9)), List.of(), s -> false);

        assertThat(silent.outages()).containsExactly(new Outage(0, 9, "w1", true));
        assertThat(silent.others()).hasSize(1).noneMatch(silent::isContradicted);
    }

    @Test
    void doesNotNameASilentNodeBesideTheOutageOfAnother() {
        Outage other = new Outage(4, 6, "b");
        SilentServers silent =
                new SilentServers(List.of(other), List.of(of("a", "server", "a", 3, 7)), List.of(), s -> true);

        assertThat(silent.outages()).containsExactly(other);
    }

    /** A freeze of 1.7 s is too short to be a silence by itself. */
    @Test
    void serverThatLeftACheckUnansweredForMostOfAnOutageIsNamed() {
        SilentServers silent = new SilentServers(
                List.of(MET),
                List.of(),
                List.of(
                        unanswered("w1", "worker", 4.2, 5.8),
                        unanswered("w2", "worker", 3.9, 4.4), // a part of it
                        unanswered("c", "coordinator", 6, 9)),
                s -> false);

        assertThat(silent.outages()).containsExactly(MET.withSilentServers(List.of("w1 (worker)")));
    }

    /** As a coordinator of Postgres-XL that keeps its broken connections to a datanode. */
    @Test
    void answerLongBeforeTheEndOfAnOutageIsTold() {
        Outage lasting = new Outage(4, 20, null);
        Outage named = lasting.withSilentServers(List.of("dn1 (datanode)"));

        assertThat(outage(lasting, List.of(of("dn1", "datanode", null, 4, 7.5)), List.of()))
                .isEqualTo(named.withAnswerAt(7.5));
        assertThat(outage(lasting, List.of(of("dn1", "datanode", null, 4, 18.5)), List.of()))
                .isEqualTo(named);
        assertThat(outage(lasting, List.of(new Silence("dn1", "datanode", null, 4, 4, 12, false)), List.of()))
                .isEqualTo(named);
    }

    @Test
    void lateAnswersInAShortOutageNameNobody() {
        Outage brief = new Outage(4, 4.9, null);

        assertThat(new SilentServers(List.of(brief), List.of(), List.of(unanswered("w1", "worker", 4, 4.9)), s -> false)
                        .outages())
                .containsExactly(brief);
    }

    /** Both a check that was answered late and a silence. */
    @Test
    void nodeOfAClusterStopsOperationsOfOtherNodes() {
        Outage other = new Outage(4.012, 9.731, "c");
        Silence worker = of("w1", "worker", "w1", 4.2, 9.8);
        Silence partly = of("w1", "worker", "w1", 8, 20);
        Outage named = other.withSilentServers(List.of("w1 (worker)"));

        assertThat(outage(other, List.of(worker), List.of())).isEqualTo(named);
        assertThat(outage(other, List.of(), List.of(worker))).isEqualTo(named);
        assertThat(outage(other, List.of(partly), List.of(partly))).isEqualTo(other);
    }

    private static Outage outage(Outage met, List<Silence> silences, List<Silence> late) {
        return new SilentServers(List.of(met), silences, late, s -> false)
                .outages()
                .get(0);
    }

    @Test
    void unrelatedServersDoNotExplainEachOthersOutages() {
        Outage other = new Outage(4, 9, "b");
        Silence server = of("a", Silence.SINGLE, "a", 4, 9);

        assertThat(outage(other, List.of(server), List.of(server))).isEqualTo(other);
    }

    private static Silence unanswered(String node, String role, double from, double to) {
        return of(node, role, null, from, to);
    }

    /** Pairs that have no time in common are no candidates for the next server. */
    @Test
    void manySilencesOfSeveralServersAreComparedInTime() {
        List<Silence> all = IntStream.range(0, 600)
                .mapToObj(i -> of(i % 3 == 0 ? "c" : "w" + i % 3, "worker", null, i / 3 * 10, i / 3 * 10 + 5))
                .flatMap(silence -> Stream.of(silence, silence))
                .toList();

        assertThat(SilentServers.CommonSilence.of(all, 3)).hasSize(200);
    }
}
