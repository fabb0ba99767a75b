package io.pgstress.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import io.pgstress.text.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The sentence that names the machines that were the limit. */
final class BottleneckTest {
    private static Environment kernel(String boot) {
        return Json.read("{\"kernelBoot\": \"" + boot + "\"}", Environment.class);
    }

    private static MachineProfile host(String node, String role, String boot, MachineUse use) {
        return new MachineProfile(
                node, role, use.cpu().busy(), 1.0, 0.0, 0.0, null, List.of(), use, kernel(boot), null);
    }

    private static MachineProfile host(String node, String role, double busy) {
        return host(node, role, node, use(busy, List.of(), null));
    }

    private static MachineUse use(double busy, List<DiskUse> disks, @Nullable InterruptUse receive) {
        return new MachineUse(new CpuUse(busy / 2, busy / 2, 0, 0, 0, busy), disks, receive, null);
    }

    private static @Nullable String of(List<MachineProfile> nodes, List<MachineProfile> others) {
        return Bottleneck.of(nodes, others, List.of(), 0);
    }

    @Test
    void fullCoordinatorIsNamedBesideItsIdleWorkers() {
        String words = of(
                List.of(host("c", "coordinator", 0.98), host("w1", "worker", 0.03), host("w2", "worker", 0.05)),
                List.of(host("client", "client", 0.4)));

        assertThat(words)
                .isEqualTo(
                        "the coordinator's CPU was full (98%; user 49%, system 49%, interrupts 0%); CPU: the workers'"
                                + " 3% to 5%, the client's 40%");
    }

    @Test
    void oneFullWorkerOfThreeIsNamed() {
        String words = of(
                List.of(host("w1", "worker", 0.2), host("w2", "worker", 0.96), host("w3", "worker", 0.3)), List.of());

        assertThat(words).startsWith("the CPU of w2 was full (96%;").endsWith("that of the other 2 workers 20% to 30%");
        assertThat(of(List.of(host("w1", "worker", 0.2), host("w2", "worker", 0.96)), List.of()))
                .endsWith("that of the other worker 20%");
    }

    @Test
    void nodesOnOneMachineAreOneMachine() {
        MachineUse use = use(0.99, List.of(), null);
        assertThat(of(
                        List.of(host("c", "coordinator", "k", use), host("w", "worker", "k", use)),
                        List.of(host("client", "client", "k", use))))
                .startsWith("the CPU of the machine that coordinator, worker and client share was full (99%");
        assertThat(of(
                        List.of(host("c", "coordinator", "k", use), host("w", "worker", "k", use)),
                        List.of(host("client", "client", "other", use(0.1, List.of(), null)))))
                .startsWith("the CPU of the machine that coordinator and worker share was full (99%")
                .endsWith("the client's 10%");
        assertThat(of(
                        List.of(host("c", "coordinator", "k", use), host("w", "worker", "k", use)),
                        List.of(host("gtm", "", "other", use(0.1, List.of(), null)))))
                .endsWith("the machine of gtm's 10%");
    }

    @Test
    void nodesOnOneMachineAreToldApartByTheirProcesses() {
        List<MachineProfile> nodes =
                List.of(shared("c", "coordinator", 0.48), shared("w1", "worker", 0.08), shared("w2", "worker", 0.1));

        assertThat(of(nodes, List.of(shared("client", "client", 0.3))))
                .isEqualTo(
                        "the CPU of the machine that coordinator, 2 workers and client share was full (99%; user 50%,"
                                + " system 50%, interrupts 0%; processes of the coordinator 48%, of the workers 8% to 10%,"
                                + " of the client 30%)");
        assertThat(of(List.of(host("c", "coordinator", 0.98)), List.of(shared("client", "client", 0.3))))
                .as("on machines of their own")
                .doesNotContain("processes");
        assertThat(of(List.of(shared("c", "server", 0.09)), List.of(shared("client", "client", 0.3))))
                .as("other programs did most of the work")
                .endsWith("; processes of the server 9%, of the client 30%, at least 60% others)");
    }

    private static MachineProfile shared(String node, String role, double processCpu) {
        MachineUse use = use(0.99, List.of(), null);
        return new MachineProfile(node, role, 0.99, 1.0, 0.0, 0.0, null, List.of(), use, kernel("k"), processCpu);
    }

    @Test
    void fullDiskAndFullCpuForInterruptsAreNamed() {
        DiskUse disk = new DiskUse("dm-0", true, 10, 1200, 1, 40, 12.5, 1.0, 13.0, 0.97);
        String words = of(
                List.of(host("db", "server", "k", use(0.3, List.of(disk), new InterruptUse(90_000, 3, 0.99, 1, 0.7)))),
                List.of());

        assertThat(words)
                .isEqualTo("the server's disk dm-0 was busy 97% of the time (10 reads/s, 1,200 writes/s, 12.5 ms"
                        + " each); the server's CPU 3 alone handled 99% of the network interrupts and was full"
                        + " (100%, interrupts 70%); CPU: the server's 30%");
    }

    @Test
    void fullCpuForTheInterruptsOfNetworkCardsIsNamed() {
        assertThat(ofCards(0.99, 0.95))
                .startsWith("the server's CPU 0 alone handled 99% of the network interrupts and was full (95%,"
                        + " interrupts 60%); CPU: ");
        assertThat(ofCards(0.99, 0.7)).as("not full").startsWith("no machine was full;");
        assertThat(ofCards(0.5, 0.95)).as("not alone").startsWith("no machine was full;");
    }

    private static @Nullable String ofCards(double share, double busy) {
        MachineUse use = new MachineUse(
                new CpuUse(0.3, 0.2, 0, 0, 0, busy),
                List.of(),
                new InterruptUse(9_000, 1, 0.5, 0.4, 0.1),
                new InterruptUse(9_000, 0, share, busy, 0.6));
        return of(List.of(host("db", "server", "k", use)), List.of());
    }

    @Test
    void stolenTimeIsNamed() {
        MachineUse use = new MachineUse(new CpuUse(0.2, 0.1, 0, 0, 0.3, 0.6), List.of(), null, null);

        assertThat(of(List.of(host("db", "server", "k", use)), List.of()))
                .startsWith("other virtual machines took 30% of the server's CPU time");
    }

    @Test
    void withoutAFullMachineAllAreListed() {
        assertThat(of(List.of(host("db", "server", 0.3)), List.of(host("client", "client", 0.5))))
                .isEqualTo("no machine was full; CPU: the server's 30%, the client's 50%");
        assertThat(of(List.of(), List.of())).isNull();
    }

    @Test
    void serversThatCouldNotBeObservedAreNotCalledIdle() {
        List<MachineProfile> client = List.of(host("client", "client", 0.12));

        assertThat(Bottleneck.of(List.of(), client, List.of("c", "w1"), 0))
                .isEqualTo("the servers' machines could not be observed; CPU: the client's 12%");
        assertThat(Bottleneck.of(List.of(), client, List.of("c"), 0))
                .startsWith("the server's machine could not be observed;");
        assertThat(Bottleneck.of(List.of(), List.of(), List.of("c"), 0)).isNull();
        assertThat(Bottleneck.of(List.of(), List.of(host("client", "client", 0.95)), List.of("c"), 0))
                .startsWith("the client's CPU was full (95%;")
                .endsWith("; the server's machine could not be observed");
    }

    @Test
    void someMachinesThatCouldNotBeObservedAreNamed() {
        List<String> unobserved = List.of("w1", "jdbc:postgresql://w2:5432/app?user=u");

        assertThat(Bottleneck.of(List.of(host("c", "coordinator", 0.3)), List.of(), unobserved, 0))
                .isEqualTo("none of the observed machines was full (not observed: w1, w2:5432); CPU: the coordinator's"
                        + " 30%");
        assertThat(Bottleneck.of(List.of(host("c", "coordinator", 0.95)), List.of(), unobserved, 0))
                .startsWith("the coordinator's CPU was full (95%;")
                .endsWith("; not observed: w1, w2:5432");
    }

    @Test
    void pausesAreNamedBecauseTheFiguresIncludeThem() {
        assertThat(Bottleneck.of(List.of(host("db", "server", 0.3)), List.of(), List.of(), 3.21))
                .isEqualTo("no machine was full; CPU: the server's 30%; pauses of 3.2 s are included");
    }
}
