package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.Environment;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.text.Json;
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
                .containsExactly(Remark.of(RemarkCode.OPEN_FILES, 1024L, 1000));
        assertThat(MachineProblems.client(client, 100, false)).isEmpty();
        assertThat(MachineProblems.client(client, 100, true))
                .containsExactly(Remark.of(RemarkCode.SINGLE_RECEIVE_QUEUE, "the client's machine", 8));
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
                .isEqualTo(Remark.of(RemarkCode.FEW_CONNECTIONS, "w1", 100, "the 101 sessions of the clients"));
    }

    @Test
    void nodeWithFewerPreparedTransactionsThanSessions() {
        assertThat(MachineProblems.prepared("w1", 80, 80)).isNull();
        assertThat(MachineProblems.prepared("w1", null, 80)).isNull();
        assertThat(MachineProblems.prepared("w1", 10, 80)).isEqualTo(Remark.of(RemarkCode.FEW_PREPARED, "w1", 10, 80));
    }

    @Test
    void nodeWithFewerConnectionsThanItsClientsAndOtherNodesNeed() {
        assertThat(MachineProblems.sessions("w1", 100, 60, 40)).isNull();
        assertThat(MachineProblems.sessions("w1", 100, 60, 60))
                .isEqualTo(Remark.of(
                        RemarkCode.FEW_CONNECTIONS,
                        "w1",
                        100,
                        "its 60 sessions of clients and one for each of the 60 on other nodes"));
    }
}
