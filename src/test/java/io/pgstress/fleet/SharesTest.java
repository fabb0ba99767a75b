package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.fleet.Fleet.Shares;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clients are spread over hosts as evenly as possible, on every server. */
final class SharesTest {
    @Test
    void spreadsEveryServersClientsAndTheRemainders() {
        for (int hosts = 1; hosts <= 7; hosts++) {
            List<Integer> servers = List.of(10, 1, 8);
            int[][] clients = Shares.clients(hosts, servers);
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
}
