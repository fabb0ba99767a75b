package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.MachineProfile;
import io.pgstress.report.Samples;
import io.pgstress.result.RunResult;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Settings that decide what a commit costs. */
final class DurabilityTest {
    private static final Map<String, String> SAFE =
            Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

    @Test
    void nodesWithoutClientsAreIncluded() {
        RunResult run = Samples.open();
        List<MachineProfile> hosts = run.serverProfile().machines().hosts();

        assertThat(Durability.of(run))
                .containsOnlyKeys(hosts.get(0).title())
                .allSatisfy((name, settings) -> assertThat(settings).containsEntry("synchronous_commit", "off"));
        assertThat(hosts.get(0).role()).isEqualTo("worker");
        assertThat(run.servers()).noneMatch(server -> server.role().equals("worker"));
    }

    @Test
    void eachValueNamesItsServers() {
        Map<String, Map<String, String>> one = Map.of(
                "a (coordinator)",
                SAFE,
                "w1 (worker)",
                Map.of("fsync", "off", "synchronous_commit", "on"),
                "w2 (worker)",
                Map.of("fsync", "off"));

        assertThat(Durability.differences(List.of(one, Map.of("b", SAFE)), Set.of()))
                .singleElement()
                .asString()
                .contains("fsync: ", "off (w1 (worker), w2 (worker))", "on (a (coordinator), b)");
        assertThat(Durability.differences(List.of(one), Set.of("fsync"))).isEmpty();
        assertThat(Durability.differences(List.of(Map.of("a", SAFE), Map.of("b", SAFE)), Set.of()))
                .isEmpty();
    }
}
