package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.testing.TestServer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Differences of counters that were restarted, or not read before; notes that concern several servers. */
final class ServerLinkTest {
    private final Notes notes = new Notes();
    private final Map<String, Double> sums = new LinkedHashMap<>();

    private ServerLink link(String name) {
        return new ServerLink(
                new ServerList.ObservedServer(
                        name, ServerList.SINGLE, TestServer.connector(TestServer.maintenanceUrl()), false, true, null),
                notes);
    }

    @Test
    void reportsRestartedCountersInsteadOfNegativeOnes() {
        link("x").addDeltas(sums, Map.of("a", 100.0), Map.of("a", 30.0), "counters of x");
        link("y").addDeltas(sums, Map.of("a", 100.0), Map.of("a", 110.0), "counters of y");

        assertThat(sums).containsEntry("a", 40.0);
        assertThat(notes.all())
                .containsExactly(
                        RemarkCode.COUNTERS_RESET.with("what", "counters of x").remark());
    }

    @Test
    void countersThatWereResetAreNotComparedWithThoseFromBefore() {
        link("x").addDeltas(sums, Map.of("a", 100.0), Map.of("a", 130.0), true, "counters of x");

        assertThat(sums).containsEntry("a", 130.0);
        assertThat(notes.all())
                .containsExactly(
                        RemarkCode.COUNTERS_RESET.with("what", "counters of x").remark());
    }

    @Test
    void omitsCountersNotReadBefore() {
        link("x").addDeltas(sums, Map.of(), Map.of("a", 1e9), "counters of x");

        assertThat(sums).isEmpty();
        assertThat(notes.all())
                .containsExactly(RemarkCode.COUNTERS_NOT_READ_BEFORE
                        .with("what", "counters of x")
                        .remark());
    }

    private static Remark dropped(String server) {
        return RemarkCode.STATEMENTS_DROPPED.with("servers", server).remark();
    }

    @Test
    void mentionsACommonNoteOnce() {
        link("dn2").noteOfNode(dropped("dn2"));
        link("dn1").noteOfNode(dropped("dn1"));
        link("dn1").noteOfNode(dropped("dn1"));
        link("dn1").note(RemarkCode.SILENT_AFTER_RUN.with("server", "dn1").remark());

        assertThat(notes.all())
                .containsExactly(
                        RemarkCode.SILENT_AFTER_RUN.with("server", "dn1").remark(),
                        RemarkCode.STATEMENTS_DROPPED
                                .with("servers", "dn1, dn2")
                                .remark());
    }
}
