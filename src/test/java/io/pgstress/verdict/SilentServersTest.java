package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Outage;
import io.pgstress.verdict.SilentServers.Silence;
import java.util.List;
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
                s -> false);

        assertThat(silent.outages()).containsExactly(MET.withSilentServers(List.of("c (coordinator)", "w1 (worker)")));
        assertThat(silent.others()).isEmpty();
    }

    @Test
    void serverWhoseOperationsSucceededWasNotUnavailable() {
        SilentServers silent = new SilentServers(List.of(MET), List.of(of("c", "coordinator", "url", 7, 9)), s -> true);

        assertThat(silent.outages()).containsExactly(MET);
        assertThat(silent.others()).hasSize(1).allMatch(silent::isContradicted);
    }

    @Test
    void serverWithoutClientsHasTheTimesOfItsChecks() {
        SilentServers silent = new SilentServers(List.of(), List.of(of("w1", "worker", null, -1, 9)), s -> false);

        assertThat(silent.outages()).containsExactly(new Outage(0, 9, "w1", true));
        assertThat(silent.others()).hasSize(1).noneMatch(silent::isContradicted);
    }

    @Test
    void doesNotNameASilentNodeBesideTheOutageOfAnother() {
        Outage other = new Outage(4, 6, "b");
        SilentServers silent = new SilentServers(List.of(other), List.of(of("a", "server", "a", 3, 7)), s -> true);

        assertThat(silent.outages()).containsExactly(other);
    }
}
