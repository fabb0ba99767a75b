package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.Environment;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Problems of machines that are known before the load. */
final class MachineProblemsTest {
    private static Environment machine(
            int cpus,
            @Nullable Long memory,
            @Nullable String hugePages,
            @Nullable Boolean singleQueue,
            @Nullable Long files,
            @Nullable Integer maxConnections) {
        return new Environment(
                null,
                null,
                cpus,
                null,
                null,
                memory,
                hugePages,
                null,
                null,
                null,
                null,
                null,
                null,
                singleQueue,
                files,
                maxConnections,
                null);
    }

    @Test
    void fewerFilesThanClientsNeed() {
        Environment client = machine(8, null, "always", true, 1024L, null);

        assertThat(MachineProblems.client(client, 1000, false))
                .containsExactly(Remark.of(RemarkCode.OPEN_FILES, 1024L, 1000));
        assertThat(MachineProblems.client(client, 100, false)).isEmpty();
        assertThat(MachineProblems.client(client, 100, true))
                .containsExactly(Remark.of(RemarkCode.SINGLE_RECEIVE_QUEUE, "the client's machine", 8));
    }

    @Test
    void hugePagesAndASingleQueueOfAServer() {
        assertThat(MachineProblems.server("db", machine(8, null, "always", true, null, null)))
                .extracting(Remark::code)
                .containsExactly(RemarkCode.HUGE_PAGES, RemarkCode.SINGLE_RECEIVE_QUEUE);
        assertThat(MachineProblems.server("db", machine(2, null, "madvise", true, null, null)))
                .as("a small machine")
                .isEmpty();
    }

    @Test
    void nodeWithFewerConnectionsThanSessions() {
        Environment node = machine(2, null, null, null, null, 100);

        assertThat(MachineProblems.sessions("w1", node, 100)).isNull();
        assertThat(MachineProblems.sessions("w1", node, 101))
                .isEqualTo(Remark.of(RemarkCode.FEW_CONNECTIONS, "w1", 100, "the 101 sessions of the clients"));
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
