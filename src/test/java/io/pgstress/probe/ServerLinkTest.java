package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

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
                new ServerList.Observed(
                        name, ServerList.SINGLE, TestServer.connector(TestServer.maintenanceUrl()), false, true, null),
                notes);
    }

    @Test
    void reportsRestartedCountersInsteadOfNegativeOnes() {
        link("x").addDeltas(sums, Map.of("a", 100.0), Map.of("a", 30.0), "counters of x");
        link("y").addDeltas(sums, Map.of("a", 100.0), Map.of("a", 110.0), "counters of y");

        assertThat(sums).containsEntry("a", 40.0);
        assertThat(notes.all()).singleElement().asString().contains("counters of x", "restart");
    }

    @Test
    void omitsCountersNotReadBefore() {
        link("x").addDeltas(sums, Map.of(), Map.of("a", 1e9), "counters of x");

        assertThat(sums).isEmpty();
        assertThat(notes.all()).containsExactly("counters of x were not readable before the run: left out");
    }

    @Test
    void mentionsACommonNoteOnce() {
        link("dn2").noteOfNode("pg_stat_statements of %s is full");
        link("dn1").noteOfNode("pg_stat_statements of %s is full");
        link("dn1").noteOfNode("pg_stat_statements of %s is full");
        link("dn1").note("something else");

        assertThat(notes.all()).containsExactly("something else", "pg_stat_statements of dn1, dn2 is full");
    }
}
