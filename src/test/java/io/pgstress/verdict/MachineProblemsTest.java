package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.Environment;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.text.Json;
import io.pgstress.verdict.MachineProblems.Coordinator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Problems of machines that are known before the load. */
final class MachineProblemsTest {
    private static Environment machine(String json) {
        return Json.read(json.replace('\'', '"'), Environment.class);
    }

    @Test
    void fewerFilesThanClientsNeed() {
        Environment client =
                machine("{'cpus': 8, 'hugePages': 'always', 'singleReceiveQueue': true, 'openFiles': 1024}");

        assertThat(MachineProblems.client(client, 1000, false))
                .containsExactly(RemarkCode.OPEN_FILES
                        .with("limit", 1024L)
                        .with("clients", 1000)
                        .remark());
        assertThat(MachineProblems.client(client, 100, false)).isEmpty();
        assertThat(MachineProblems.client(client, 100, true))
                .containsExactly(RemarkCode.SINGLE_RECEIVE_QUEUE
                        .with("machine", "the client's machine")
                        .with("cpus", 8)
                        .remark());
    }

    @Test
    void hugePagesAndASingleQueueOfAServer() {
        assertThat(MachineProblems.server(
                        "db", machine("{'cpus': 8, 'hugePages': 'always', 'singleReceiveQueue': true}")))
                .extracting(Remark::code)
                .containsExactly(RemarkCode.HUGE_PAGES, RemarkCode.SINGLE_RECEIVE_QUEUE);
        assertThat(MachineProblems.server(
                        "db", machine("{'cpus': 2, 'hugePages': 'madvise', 'singleReceiveQueue': true}")))
                .as("a small machine")
                .isEmpty();
    }

    @Test
    void nodeWithFewerConnectionsThanSessions() {
        assertThat(MachineProblems.sessions("w1", 100, 0, 100)).isNull();
        assertThat(MachineProblems.sessions("w1", null, 0, 100)).isNull();
        assertThat(MachineProblems.sessions("w1", 100, 0, 101))
                .isEqualTo(RemarkCode.FEW_CONNECTIONS
                        .with("server", "w1")
                        .with("limit", 100)
                        .with("needed", 101)
                        .with("others", 101)
                        .remark());
    }

    @Test
    void nodeWithFewerPreparedTransactionsThanSessions() {
        assertThat(MachineProblems.prepared("w1", 80, 80)).isNull();
        assertThat(MachineProblems.prepared("w1", null, 80)).isNull();
        assertThat(MachineProblems.prepared("w1", 10, 80))
                .isEqualTo(RemarkCode.FEW_PREPARED
                        .with("server", "w1")
                        .with("limit", 10)
                        .with("sessions", 80)
                        .remark());
    }

    private static Coordinator coordinator(String host, String gtm, int sessions) {
        return new Coordinator(host, Map.of("gtm_host", gtm, "gtm_port", "6666"), sessions);
    }

    @Test
    void hostsThatShareAGtmHaveNoProxies() {
        assertThat(MachineProblems.gtms(List.of(coordinator("c1", "gtm", 80), coordinator("c2", "gtm", 80))))
                .containsExactly(RemarkCode.GTM_SHARED
                        .with("sessions", 160)
                        .with("hosts", "c1, c2")
                        .with("address", "gtm:6666")
                        .remark());
        assertThat(MachineProblems.gtms(
                        List.of(coordinator("c1", "localhost", 80), coordinator("c2", "127.0.0.1", 80))))
                .as("a proxy on each host")
                .isEmpty();
        assertThat(MachineProblems.gtms(List.of(coordinator("c1", "gtm", 1024))))
                .isEmpty();
        assertThat(MachineProblems.gtms(List.of(coordinator("c1", "::1", 1025))))
                .containsExactly(RemarkCode.GTM_SHARED
                        .with("sessions", 1025)
                        .with("hosts", "c1")
                        .with("address", "c1:6666")
                        .remark());
        assertThat(MachineProblems.gtms(List.of(new Coordinator("db", Map.of(), 5000))))
                .as("no Postgres-XL")
                .isEmpty();
    }

    @Test
    void nodeWithFewerConnectionsThanItsClientsAndOtherNodesNeed() {
        assertThat(MachineProblems.sessions("w1", 100, 60, 40)).isNull();
        assertThat(MachineProblems.sessions("w1", 100, 60, 60))
                .isEqualTo(RemarkCode.FEW_CONNECTIONS
                        .with("server", "w1")
                        .with("limit", 100)
                        .with("needed", 120)
                        .with("own", 60)
                        .with("others", 60)
                        .remark());
    }
}
