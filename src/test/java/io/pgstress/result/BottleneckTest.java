package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse;
import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import io.pgstress.machine.MachineUse.MemoryLimitUse;
import io.pgstress.machine.MachineUse.QuotaUse;
import io.pgstress.machine.RunMachines;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The remarks on the machines that were the limit. */
final class BottleneckTest {
    private static Environment kernel(String boot) {
        return Json.read("{\"kernelBoot\": \"" + boot + "\"}", Environment.class);
    }

    private static MachineProfile host(String node, String role, String boot, MachineUse use) {
        return new MachineProfile(
                node, role, use.cpu().busy(), 1.0, 0.0, 0.0, null, List.of(), use, kernel(boot), null, false);
    }

    private static MachineProfile host(String node, String role, double busy) {
        return host(node, role, node, use(busy, List.of(), null));
    }

    private static MachineUse use(double busy, List<DiskUse> disks, @Nullable InterruptUse receive) {
        return new MachineUse(new CpuUse(busy / 2, busy / 2, 0, 0, 0, busy), disks, receive, null, null, null);
    }

    private static List<Remark> of(List<MachineProfile> nodes, MachineProfile... others) {
        return of(nodes, List.of(), others);
    }

    private static List<Remark> of(List<MachineProfile> nodes, List<String> unobserved, MachineProfile... others) {
        return Bottleneck.of(new RunMachines(nodes, List.of(others), unobserved), 0);
    }

    private static List<RemarkCode> codes(List<Remark> bottleneck) {
        return bottleneck.stream().map(Remark::code).toList();
    }

    private static @Nullable Object figure(List<Remark> bottleneck, RemarkCode code, String name) {
        return bottleneck.stream()
                .filter(remark -> remark.code() == code)
                .findFirst()
                .orElseThrow()
                .figures()
                .get(name);
    }

    private static Map<String, Object> range(double min, double max) {
        return Map.of("min", min, "max", max);
    }

    @Test
    void fullCoordinatorIsNamedBesideItsIdleWorkers() {
        List<Remark> found = of(
                List.of(host("c", "coordinator", 0.75), host("w1", "worker", 0.25), host("w2", "worker", 0.5)),
                host("client", "client", 1));

        assertThat(codes(found)).containsExactly(RemarkCode.CPU_OF_MACHINE, RemarkCode.CPU_NOT_FULL);
        assertThat(found.get(0).severity()).isEqualTo(RemarkCode.Severity.CAUSE);
        assertThat(found.get(0).figures())
                .isEqualTo(Map.of(
                        "machine",
                        "the client",
                        "percent",
                        100.0,
                        "kinds",
                        Map.of("user", 50.0, "system", 50.0, "interrupts", 0.0)));
        assertThat(figure(found, RemarkCode.CPU_NOT_FULL, "busy"))
                .isEqualTo(Map.of("coordinator", 75.0, "workers", range(25, 50)));
        assertThat(Bottleneck.line(found))
                .isEqualTo("CPU of the client, 100% busy: user 50%, system 50%, interrupts 0%. CPU: coordinator 75%,"
                        + " workers 25% to 50%");
    }

    @Test
    void oneFullWorkerOfThreeIsNamed() {
        List<Remark> found =
                of(List.of(host("w1", "worker", 0.25), host("w2", "worker", 1), host("w3", "worker", 0.5)));

        assertThat(figure(found, RemarkCode.CPU_OF_MACHINE, "machine")).isEqualTo("w2");
        assertThat(figure(found, RemarkCode.CPU_NOT_FULL, "busy")).isEqualTo(Map.of("other 2 workers", range(25, 50)));
        List<Remark> ofTwo = of(List.of(host("w1", "worker", 0.25), host("w2", "worker", 1)));
        assertThat(figure(ofTwo, RemarkCode.CPU_NOT_FULL, "busy")).isEqualTo(Map.of("other worker", 25.0));
    }

    @Test
    void fullWorkersAreOneRemark() {
        List<Remark> found = of(List.of(host("w1", "worker", 0.9375), host("w2", "worker", 1)));

        assertThat(codes(found)).containsExactly(RemarkCode.CPU_OF_MACHINE);
        assertThat(found.get(0).figures())
                .containsEntry("machine", "the workers")
                .containsEntry("percent", range(93.75, 100));
    }

    @Test
    void nodesOnOneMachineAreOneMachine() {
        MachineUse use = use(1, List.of(), null);
        List<MachineProfile> nodes = List.of(host("c", "coordinator", "k", use), host("w", "worker", "k", use));

        List<Remark> withClient = of(nodes, host("client", "client", "k", use));
        assertThat(codes(withClient)).as("shares are unknown").containsExactly(RemarkCode.CPU_OF_MACHINE);
        assertThat(withClient.get(0).figures()).containsEntry("machine", "this machine");
        List<Remark> apart = of(nodes, host("client", "client", "other", use(0.25, List.of(), null)));
        assertThat(figure(apart, RemarkCode.CPU_OF_MACHINE, "machine"))
                .isEqualTo("the machine of coordinator and worker");
        assertThat(figure(apart, RemarkCode.CPU_NOT_FULL, "busy")).isEqualTo(Map.of("client", 25.0));
        List<Remark> withoutRole = of(nodes, host("gtm", "", "other", use(0.25, List.of(), null)));
        assertThat(figure(withoutRole, RemarkCode.CPU_NOT_FULL, "busy")).isEqualTo(Map.of("gtm", 25.0));
    }

    @Test
    void nodesOnOneMachineAreToldApartByTheirProcesses() {
        List<MachineProfile> nodes =
                List.of(shared("c", "coordinator", 0.5), shared("w1", "worker", 0.0625), shared("w2", "worker", 0.125));

        List<Remark> found = of(nodes, shared("client", "client", 0.25));
        assertThat(codes(found)).containsExactly(RemarkCode.CPU_OF_SHARED_MACHINE);
        assertThat(found.get(0).figures())
                .isEqualTo(Map.of(
                        "machine",
                        "this machine",
                        "percent",
                        100.0,
                        "shares",
                        Map.of("coordinator", 50.0, "workers", 18.75, "client", 25.0, "others", 6.25)));
        List<Remark> single = of(List.of(shared("s", "server", 0.6875)), shared("client", "client", 0.3125));
        assertThat(Bottleneck.line(single)).isEqualTo("CPU of this machine, 100% busy: server 69%, client 31%");
        assertThat(codes(of(List.of(shared("s", "server", 0.79)), shared("client", "client", 0.44))))
                .as("more than all: read at other times")
                .containsExactly(RemarkCode.CPU_OF_MACHINE);
        assertThat(codes(of(List.of(host("c", "coordinator", 0.98)), shared("client", "client", 0.9))))
                .as("on machines of their own")
                .containsOnly(RemarkCode.CPU_OF_MACHINE);
    }

    private static RunMachines machines(List<MachineProfile> nodes, MachineProfile... others) {
        return new RunMachines(nodes, List.of(others), List.of());
    }

    @Test
    void interruptsMayBePartOfTheTimeOfProcesses() {
        MachineUse use = new MachineUse(new CpuUse(0.74, 0.19, 0.07, 0, 0, 1), List.of(), null, null, null, null);
        MachineProfile server = Records.with(host("s", "server", "k", use), "processCpu", 0.65);
        MachineProfile client = Records.with(host("client", "client", "k", use), "processCpu", 0.34);
        assertThat(Bottleneck.line(of(List.of(server), client)))
                .isEqualTo("CPU of this machine, 100% busy: server 65%, client 34%");
        assertThat(Bottleneck.others(machines(List.of(server), client))).isZero();
    }

    /** The kernel measures the turns of processes, and samples whether CPUs are busy. */
    @Test
    void machineIsAtLeastAsBusyAsItsProcesses() {
        MachineUse use = use(0.4, List.of(), null);
        MachineProfile server = Records.with(host("s", "server", "k", use), "processCpu", 0.25);
        MachineProfile client = Records.with(host("client", "client", "k", use), "processCpu", 0.25);
        assertThat(of(List.of(server), client).get(1).figures())
                .containsEntry("percent", 50.0)
                .containsEntry("shares", Map.of("server", 25.0, "client", 25.0));
        MachineProfile most = Records.with(client, "processCpu", 0.75);
        assertThat(codes(of(List.of(server), most))).contains(RemarkCode.CPU_OF_SHARED_MACHINE);
    }

    /** Processes that were read at another time than the machine took 102% of it. */
    /** What used the rest may be a server that could not be observed. It is not the client. */
    @Test
    void clientThatUsesLittleOfItsFullMachineIsNotWhatFilledIt() {
        MachineProfile client =
                Records.with(host("client", "client", "k", use(1, List.of(), null)), "processCpu", 0.13);

        List<Remark> found = of(List.of(), List.of("s"), client);

        assertThat(codes(found)).startsWith(RemarkCode.CPU_OF_SHARED_MACHINE);
        assertThat(Bottleneck.line(found)).startsWith("CPU of the client, 100% busy: others 87%, client 13%");
        assertThat(Bottleneck.clientFilledByRest(new RunMachines(List.of(), List.of(client), List.of("s"))))
                .hasValueSatisfying(filled -> assertThat(filled.percent()).isEqualTo(87));
        assertThat(Bottleneck.filledByOthers(new RunMachines(List.of(), List.of(client), List.of("s"))))
                .isEmpty();
        MachineProfile busy = Records.with(client, "processCpu", 0.9);
        assertThat(codes(of(List.of(), List.of("s"), busy))).startsWith(RemarkCode.CPU_OF_MACHINE);
    }

    @Test
    void sharesAreNotMoreThanTheMachineWasBusy() {
        MachineUse use = use(1, List.of(), null);
        MachineProfile server = Records.with(host("s", "server", "k", use), "processCpu", 0.714);
        MachineProfile client = Records.with(host("client", "client", "k", use), "processCpu", 0.306);
        assertThat(Bottleneck.line(of(List.of(server), client)))
                .isEqualTo("CPU of this machine, 100% busy: server 70%, client 30%");
    }

    @Test
    void othersThatFilledAMachineAreNamedFirst() {
        MachineProfile server = shared("s", "server", 0.125);
        MachineProfile client = shared("client", "client", 0.0625);
        RunMachines both = machines(List.of(server), client);
        assertThat(Bottleneck.filledByOthers(both))
                .contains(new Bottleneck.FilledByOthers("this machine", 81.25, true));
        assertThat(Bottleneck.line(Bottleneck.of(both, 0)))
                .isEqualTo("CPU of this machine, 100% busy: others 81%, server 13%, client 6%");
        assertThat(Bottleneck.filledByOthers(machines(List.of(shared("s", "server", 0.75)), client)))
                .as("few others")
                .isEmpty();
        assertThat(Bottleneck.filledByOthers(machines(
                        List.of(shared("s", "server", 0.125)),
                        shared("a", "client", 0.125),
                        shared("b", "client", 0.25))))
                .as("agents on the server's machine")
                .map(Bottleneck.FilledByOthers::percent)
                .contains(50.0);
    }

    @Test
    void othersMayFillTheMachineOfOneNode() {
        MachineProfile server = shared("s", "server", 0.25);
        MachineProfile client = host("client", "client", "other", use(0.25, List.of(), null));
        assertThat(Bottleneck.filledByOthers(machines(List.of(server), client)))
                .contains(new Bottleneck.FilledByOthers("the server", 75, false));
        assertThat(of(List.of(server), client).get(0).figures())
                .containsEntry("shares", Map.of("others", 75.0, "server", 25.0));
    }

    @Test
    void nodesOfUnknownMachinesMayBeTheOthers() {
        MachineProfile server = shared("s", "server", 0.25);
        MachineProfile client = shared("client", "client", 0.125);
        assertThat(Bottleneck.filledByOthers(new RunMachines(List.of(server), List.of(client), List.of("worker"))))
                .as("a server that could not be observed")
                .isEmpty();
        assertThat(Bottleneck.filledByOthers(machines(List.of(), client)))
                .as("no server could be observed")
                .isEmpty();
        assertThat(Bottleneck.filledByOthers(machines(List.of(server))))
                .as("no client could be observed")
                .isEmpty();
        MachineProfile elsewhere = host("w", "worker", "other", use(0.25, List.of(), null));
        assertThat(Bottleneck.filledByOthers(
                        machines(List.of(server, Records.with(elsewhere, "environment", null)), client)))
                .as("a worker on an unknown machine")
                .isEmpty();
    }

    /** The load is over in a part of the longer period of a late reading, which makes the shares of processes smaller. */
    @Test
    void lateReadingsDoNotMakeOthersOfTheNodes() {
        MachineProfile server = shared("s", "server", 0.375);
        MachineProfile late =
                Records.with(host("client", "client", "k", use(0.625, List.of(), null)), "processCpu", 0.25);
        assertThat(Bottleneck.filledByOthers(machines(List.of(server), Records.with(late, "readLate", true))))
                .isEmpty();
        assertThat(Bottleneck.filledByOthers(
                        machines(List.of(server), Records.with(shared("client", "client", 0.25), "readLate", true))))
                .as("busy all the time")
                .map(Bottleneck.FilledByOthers::percent)
                .contains(37.5);
    }

    @Test
    void sharedMachineThatWasNotFullHasItsShares() {
        MachineUse use = use(0.5, List.of(), null);
        MachineProfile server = Records.with(host("s", "server", "k", use), "processCpu", 0.375);
        MachineProfile client = Records.with(host("client", "client", "k", use), "processCpu", 0.125);

        List<Remark> found = of(List.of(server), client);

        assertThat(codes(found)).containsExactly(RemarkCode.NO_MACHINE_FULL, RemarkCode.CPU_OF_SHARED_MACHINE_NOT_FULL);
        assertThat(found).extracting(Remark::severity).containsOnly(RemarkCode.Severity.NOTE);
        assertThat(found.get(1).figures()).containsEntry("shares", Map.of("server", 37.5, "client", 12.5));
    }

    private static MachineProfile shared(String node, String role, double processCpu) {
        MachineUse use = use(1, List.of(), null);
        return new MachineProfile(node, role, 1.0, 1.0, 0.0, 0.0, null, List.of(), use, kernel("k"), processCpu, false);
    }

    @Test
    void fullDiskAndFullCpuForInterruptsAreNamed() {
        DiskUse disk = new DiskUse("dm-0", true, 10, 1200, 1, 40, 12.5, 1.0, 13.0, 0, 200, 34.0, 15, 1);
        List<Remark> found = of(
                List.of(host("db", "server", "k", use(0.25, List.of(disk), new InterruptUse(90_000, 3, 1, 1, 0.75)))));

        assertThat(codes(found))
                .containsExactly(RemarkCode.DISK_OF_MACHINE, RemarkCode.CPU_OF_INTERRUPTS, RemarkCode.CPU_NOT_FULL);
        assertThat(found.get(0).figures())
                .isEqualTo(Map.of(
                        "disk", "dm-0",
                        "machine", "the server",
                        "percent", 100.0,
                        "readsPerSecond", 10.0,
                        "writesPerSecond", 1200.0));
        assertThat(found.get(1).figures())
                .isEqualTo(Map.of(
                        "cpu", 3,
                        "machine", "the server",
                        "percent", 100.0,
                        "sharePercent", 100.0,
                        "interruptsPercent", 75.0));
    }

    @Test
    void fullCpuForTheInterruptsOfNetworkCardsIsNamed() {
        assertThat(figure(ofCards(1, 0.9375), RemarkCode.CPU_OF_INTERRUPTS, "cpu"))
                .isEqualTo(0);
        assertThat(codes(ofCards(1, 0.7)))
                .as("not full")
                .containsExactly(RemarkCode.NO_MACHINE_FULL, RemarkCode.CPU_NOT_FULL);
        assertThat(codes(of(
                        List.of(host("db", "server", "k", use(1, List.of(), new InterruptUse(9_000, 1, 1, 1, 0.6)))))))
                .as("of a machine that is full anyway")
                .containsExactly(RemarkCode.CPU_OF_MACHINE);
        assertThat(codes(ofCards(0.5, 0.95)))
                .as("not alone")
                .containsExactly(RemarkCode.ONE_CPU_FULL, RemarkCode.CPU_NOT_FULL);
    }

    /** As a server or another process that may use only one CPU of two. */
    @Test
    void aFullCpuOfAMachineThatIsNotFullIsNamed() {
        MachineUse use = new MachineUse(new CpuUse(0.5, 0.25, 0, 0, 0, 0.984375), List.of(), null, null, null, null);
        MachineProfile server = Records.with(
                Records.with(host("s", "server", "k", use), "processCpu", 0.5),
                "environment",
                Json.read("{\"kernelBoot\": \"k\", \"cpus\": 2}", Environment.class));
        MachineProfile client = Records.with(host("client", "client", "k", use), "processCpu", 0.25);

        List<Remark> found = of(List.of(server), client);

        assertThat(codes(found)).containsExactly(RemarkCode.ONE_CPU_FULL, RemarkCode.CPU_OF_SHARED_MACHINE_NOT_FULL);
        assertThat(found.get(0).figures()).isEqualTo(Map.of("cpus", 2, "machine", "this machine", "percent", 98.4375));
        assertThat(codes(of(List.of(host("s", "server", "k", use)), List.of("w"))))
                .as("another machine was not observed")
                .startsWith(RemarkCode.ONE_CPU_FULL, RemarkCode.MACHINES_NOT_OBSERVED);
    }

    @Test
    void nodesOfARoleShareAMachineTogether() {
        MachineUse use = use(0.375, List.of(), null);
        List<MachineProfile> servers = List.of(
                Records.with(host("a", "server", "k", use), "processCpu", 0.0625),
                Records.with(host("b", "server", "k", use), "processCpu", 0.0625));
        MachineProfile client = Records.with(host("client", "client", "k", use), "processCpu", 0.125);

        assertThat(of(servers, client).get(1).figures())
                .containsEntry("shares", Map.of("servers", 12.5, "client", 12.5, "others", 12.5));
    }

    private static List<Remark> ofCards(double share, double busy) {
        MachineUse use = new MachineUse(
                new CpuUse(0.3, 0.2, 0, 0, 0, busy),
                List.of(),
                new InterruptUse(9_000, 1, 0.5, 0.4, 0.1),
                new InterruptUse(9_000, 0, share, busy, 0.6),
                null,
                null);
        return of(List.of(host("db", "server", "k", use)));
    }

    @Test
    void stolenTimeIsNamed() {
        MachineUse use = new MachineUse(new CpuUse(0.2, 0.1, 0, 0, 0.25, 0.6), List.of(), null, null, null, null);

        List<Remark> found = of(List.of(host("db", "server", "k", use)));

        assertThat(found.get(0).code()).isEqualTo(RemarkCode.CPU_STOLEN);
        assertThat(found.get(0).figures()).isEqualTo(Map.of("percent", 25.0, "machine", "the server"));
    }

    @Test
    void withoutAFullMachineAllAreListed() {
        List<Remark> found = of(List.of(host("db", "server", 0.25)), host("client", "client", 0.5));

        assertThat(codes(found)).containsExactly(RemarkCode.NO_MACHINE_FULL, RemarkCode.CPU_NOT_FULL);
        assertThat(figure(found, RemarkCode.CPU_NOT_FULL, "busy")).isEqualTo(Map.of("server", 25.0, "client", 50.0));
        assertThat(of(List.of())).isEmpty();
    }

    @Test
    void serversThatCouldNotBeObservedAreNotCalledIdle() {
        MachineProfile client = host("client", "client", 0.125);

        List<Remark> found = of(List.of(), List.of("c", "w1"), client);
        assertThat(codes(found)).containsExactly(RemarkCode.MACHINES_NOT_OBSERVED, RemarkCode.CPU_NOT_FULL);
        assertThat(found.get(0).figures()).isEqualTo(Map.of("machines", "c, w1"));
        assertThat(of(List.of(), List.of("c"))).isEmpty();
        assertThat(codes(of(List.of(), List.of("c"), host("client", "client", 0.95))))
                .containsExactly(RemarkCode.CPU_OF_MACHINE, RemarkCode.MACHINES_NOT_OBSERVED);
    }

    @Test
    void someMachinesThatCouldNotBeObservedAreNamed() {
        List<String> unobserved = List.of("w1", "jdbc:postgresql://w2:5432/app?user=u");

        List<Remark> found = of(List.of(host("c", "coordinator", 0.3)), unobserved);
        assertThat(codes(found))
                .containsExactly(
                        RemarkCode.NO_OBSERVED_MACHINE_FULL, RemarkCode.MACHINES_NOT_OBSERVED, RemarkCode.CPU_NOT_FULL);
        assertThat(figure(found, RemarkCode.MACHINES_NOT_OBSERVED, "machines")).isEqualTo("w1, w2:5432");
        assertThat(codes(of(List.of(host("c", "coordinator", 0.95)), unobserved)))
                .containsExactly(RemarkCode.CPU_OF_MACHINE, RemarkCode.MACHINES_NOT_OBSERVED);
    }

    @Test
    void pausesAreNamedBecauseTheFiguresIncludeThem() {
        RunMachines machines = new RunMachines(List.of(host("db", "server", 0.3)), List.of(), List.of());

        assertThat(Bottleneck.of(machines, 3.21))
                .contains(RemarkCode.PAUSES_INCLUDED.with("seconds", 3.21).remark())
                .hasSize(3);
        assertThat(codes(Bottleneck.of(machines, 0.01))).doesNotContain(RemarkCode.PAUSES_INCLUDED);
    }

    private static MachineProfile limited(
            String node, String role, @Nullable QuotaUse quota, @Nullable MemoryLimitUse limit) {
        MachineUse use = new MachineUse(new CpuUse(0.1, 0.1, 0, 0, 0, 0.3), List.of(), null, null, quota, limit);
        return host(node, role, "k", use);
    }

    @Test
    void usedUpQuotaIsTheLimitOfAnIdleMachine() {
        List<Remark> found = of(List.of(limited("db", "coordinator", new QuotaUse("/g", 0.27, 0.43, null), null)));

        assertThat(found)
                .startsWith(RemarkCode.CPU_QUOTA_USED_UP
                        .with("node", "the coordinator")
                        .with("cores", 0.27)
                        .with("percent", 43.0)
                        .remark())
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.NO_MACHINE_FULL);
    }

    @Test
    void eachNodeOfAMachineHasItsOwnQuota() {
        List<MachineProfile> nodes = List.of(
                limited("c:1", "coordinator", new QuotaUse("/c", 0.3, 0.9, 0.29), null),
                limited("w:1", "worker", new QuotaUse("/w1", 0.3, 0.5, 0.25), null),
                limited("w:2", "worker", new QuotaUse("/w2", 0.3, 0.05, 0.11), null));
        List<Remark> found = of(nodes, limited("client", "client", null, null));

        assertThat(Bottleneck.line(found))
                .startsWith("The CPU quota of the coordinator (0.30 cores) was used up 90% of the time. The CPU"
                        + " quota of w:1 (0.30 cores) was used up 50% of the time. Cores used under CPU"
                        + " quotas: coordinator 0.29, w:1 0.25, w:2 0.11. CPU: this machine 20%");
        assertThat(Bottleneck.isAnyCpuFull(new RunMachines(nodes, List.of(), List.of())))
                .isTrue();
        assertThat(Bottleneck.isAnyCpuFull(new RunMachines(nodes.subList(2, 3), List.of(), List.of())))
                .isFalse();
    }

    @Test
    void manyNodesOfARoleAreOneSentence() {
        List<MachineProfile> nodes = List.of(
                limited("w:1", "worker", new QuotaUse("/w1", 0.3, 0.5, 0.25), null),
                limited("w:2", "worker", new QuotaUse("/w2", 0.3, 0.7, 0.27), null),
                limited("w:3", "worker", new QuotaUse("/w3", 0.3, 0.6, 0.26), null),
                limited("w:4", "worker", new QuotaUse("/w4", 0.3, 0.0, 0.02), null));

        assertThat(Bottleneck.line(of(nodes)))
                .startsWith("The CPU quota of 3 workers (0.30 cores) was used up 50% to 70% of the time. Cores used"
                        + " under CPU quotas: 4 workers 0.02 to 0.27. CPU:");
    }

    /** As a coordinator and a datanode that are on one host of a Postgres-XL; containers see their own groups as roots. */
    @Test
    void nodesMayShareAQuota() {
        QuotaUse shared = new QuotaUse("/sys/fs/cgroup/cpu/h1", 0.5, 0.8, 0.49);
        assertThat(Bottleneck.line(of(
                        List.of(limited("c1", "coordinator", shared, null), limited("d1", "datanode", shared, null)))))
                .startsWith("The CPU quota of the coordinator and the datanode (0.50 cores) was used up 80% of the"
                        + " time. Cores used under CPU quotas: coordinator and datanode 0.49. CPU:");
        QuotaUse own = new QuotaUse("/sys/fs/cgroup", 0.5, 0.8, 0.49);
        assertThat(codes(of(List.of(limited("c1", "coordinator", own, null), limited("d1", "datanode", own, null)))))
                .startsWith(RemarkCode.CPU_QUOTA_USED_UP, RemarkCode.CPU_QUOTA_USED_UP);
    }

    @Test
    void memoryLimitIsACauseIfProcessesWaitedForIt() {
        assertThat(codes(ofMemory(new MemoryLimitUse(512e6, 3, 900.0, null))))
                .startsWith(RemarkCode.MEMORY_LIMIT_REACHED)
                .doesNotContain(RemarkCode.NO_MACHINE_FULL);
        assertThat(ofMemory(new MemoryLimitUse(512e6, 3, 900.0, 0.2)).get(0).text())
                .isEqualTo("The memory limit of the server (512 MB) was reached, and 900 evicted pages per second were"
                        + " read again");
        for (MemoryLimitUse harmless : List.of(
                new MemoryLimitUse(512e6, 3, 900.0, 0.01), // they did not wait
                new MemoryLimitUse(512e6, 3, 20.0, null), // few
                new MemoryLimitUse(512e6, 3, null, null), // unknown
                new MemoryLimitUse(512e6, 0, 900.0, 0.2))) { // another limit
            assertThat(codes(ofMemory(harmless))).as("%s", harmless).startsWith(RemarkCode.NO_MACHINE_FULL);
        }
    }

    private static List<Remark> ofMemory(MemoryLimitUse limit) {
        return of(List.of(limited("db", "server", null, limit)));
    }
}
