package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.fleet.Fleet.Shares;
import io.pgstress.plan.option.InvalidPlanException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clients are spread over hosts as evenly as possible, on every server. */
final class SharesTest {
    @Test
    void spreadsEveryServersClientsAndTheRemainders() {
        for (int hosts = 1; hosts <= 7; hosts++) {
            List<Integer> servers = List.of(10, 1, 8);
            int[][] clients = Shares.clients(hosts, servers, false);
            for (int n = 0; n < servers.size(); n++) {
                int server = n;
                assertThat(IntStream.range(0, hosts)
                                .map(h -> clients[h][server])
                                .sum())
                        .isEqualTo(servers.get(n));
            }
            int[] ofHosts = IntStream.range(0, hosts)
                    .map(h -> IntStream.of(clients[h]).sum())
                    .toArray();
            assertThat(IntStream.of(ofHosts).max().orElse(0)
                            - IntStream.of(ofHosts).min().orElse(0))
                    .as("%d hosts", hosts)
                    .isLessThanOrEqualTo(1);
        }
    }

    @Test
    void agentsHaveOneServerEach() {
        assertThat(Shares.clients(2, List.of(96, 48), true)).isDeepEqualTo(new int[][] {{96, 0}, {0, 48}});
        assertThat(Shares.clients(5, List.of(10, 7), true))
                .isDeepEqualTo(new int[][] {{4, 0}, {0, 3}, {3, 0}, {0, 4}, {3, 0}});
        assertThatThrownBy(() -> Shares.clients(2, List.of(8, 8, 8), true))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining("3 servers need at least as many agents (--agents), not 2");
    }
}
