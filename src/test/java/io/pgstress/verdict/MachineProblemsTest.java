package io.pgstress.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.Environment;
import java.util.List;
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
                .containsExactly(
                        "the client may open 1,024 files and sockets, and runs 1,000 clients: raise the limit (ulimit"
                                + " -n)");
        assertThat(MachineProblems.client(client, 100, false)).isEmpty();
        assertThat(MachineProblems.client(client, 100, true))
                .singleElement()
                .asString()
                .startsWith("a network card of the client's machine has a single receive queue: one of 8 CPUs");
    }

    @Test
    void hugePagesAndASingleQueueOfAServer() {
        assertThat(MachineProblems.server("db", machine(8, null, "always", true, null, null)))
                .hasSize(2)
                .allMatch(problem -> problem.contains("db"));
        assertThat(MachineProblems.server("db", machine(2, null, "madvise", true, null, null)))
                .as("a small machine")
                .isEmpty();
    }

    @Test
    void nodeWithFewerConnectionsThanSessions() {
        Environment node = machine(2, null, null, null, null, 100);

        assertThat(MachineProblems.sessions("w1", node, 100)).isNull();
        assertThat(MachineProblems.sessions("w1", node, 101))
                .startsWith("w1 accepts 100 connections (max_connections), fewer than the 101 sessions of the clients");
    }

    @Test
    void nodeWithFewerConnectionsThanItsClientsAndOtherNodesNeed() {
        assertThat(MachineProblems.sessions("w1", 100, 60, 40)).isNull();
        assertThat(MachineProblems.sessions("w1", 100, 60, 60))
                .startsWith(
                        "w1 accepts 100 connections (max_connections), fewer than its 60 sessions of clients and one"
                                + " for each of the 60 on other nodes:");
    }

    @Test
    void tableThatFitsIntoMemory() {
        List<Environment> servers = List.of(
                machine(2, 4_000_000_000L, null, null, null, null), machine(2, 4_000_000_000L, null, null, null, null));

        assertThat(MachineProblems.cached("the table has", 9_000_000_000L, servers))
                .isNull();
        assertThat(MachineProblems.cached("the table has", 0, servers)).endsWith("is not known before the run");
        assertThat(MachineProblems.cached("the table has", 7_000_000_000L, servers))
                .startsWith("--disk-bound: the table has 7.0 GB and the servers have 8.0 GB of memory");
    }
}
