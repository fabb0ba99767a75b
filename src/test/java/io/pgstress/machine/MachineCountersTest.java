package io.pgstress.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a machine did between two readings of its counters, and restarted counters. */
final class MachineCountersTest {
    private static final String NO_DISK = "";

    private static MachineFiles proc(long user, long idle, long ethIn, long loIn, long sectors) {
        return MachineFiles.parse("""
            ==> /proc/loadavg <==
            2.25 1.10 0.50 3/213 16892

            ==> /proc/stat <==
            cpu  %d 0 100 %d 50 0 10 0 0 0
            cpu0 1 2 3 4 5 6 7 8 9 10

            ==> /proc/net/dev <==
            Inter-|   Receive                                                |  Transmit
                lo: %d 10 0 0 0 0 0 0 700 10 0 0 0 0 0 0
              eth0:%d 10 0 0 0 0 0 0 5000 10 0 0 0 0 0 0

            ==> /proc/diskstats <==
               8       0 sda 100 0 200 30 40 0 %d 60 0 70 80
               8       1 sda1 100 0 200 30 40 0 999999 60 0 70 80
            """.formatted(user, idle, loIn, ethIn, sectors));
    }

    private static MachineSample difference(
            MachineFiles before, MachineFiles after, boolean loopback, String dataDisk) {
        MachineCounters start = MachineCounters.parse(before, "", loopback, 0, 1);
        MachineCounters end = MachineCounters.parse(after, "", loopback, 2_000_000_000L, 3);
        return Objects.requireNonNull(end.since(start, 0.25, dataDisk));
    }

    @Test
    void differenceIsTheActivityOfTheMachine() {
        MachineSample sample = difference(
                proc(1000, 1000, 1_000_000, 0, 1000), proc(1300, 1100, 3_500_000, 9_000_000, 5000), false, NO_DISK);

        assertThat(sample.atSeconds()).isEqualTo(0.75);
        assertThat(sample.seconds()).isEqualTo(2);
        assertThat(sample.cpuBusy()).isCloseTo(0.75, within(1e-9));
        assertThat(sample.loadAverage()).isEqualTo(2.25);
        assertThat(sample.inMbitPerSecond()).isCloseTo(10, within(1e-9));
        assertThat(sample.diskWriteMbPerSecond()).isCloseTo(1.024, within(1e-9));
    }

    @Test
    void loopbackCountsIfTheClusterUsesIt() {
        MachineSample sample = difference(proc(1000, 1000, 0, 0, 0), proc(1300, 1100, 0, 1_000_000, 0), true, NO_DISK);

        assertThat(sample.inMbitPerSecond()).isCloseTo(4, within(1e-9));
    }

    /** Shares of server and client on one machine are of one period, or not shown. */
    @Test
    void lateReadingsAreMarked() {
        assertThat(readUntil(3.2).readLate()).isFalse();
        assertThat(readUntil(3.8).readLate()).isTrue();
    }

    /** The figures of a measurement of 3 s that ends at this reading. */
    private static MachineProfile readUntil(double seconds) {
        AtomicLong ticks = new AtomicLong();
        MachineWatch.Source source = new MachineWatch.Source() {
            @Override
            public MachineFiles read(List<String> paths) {
                return proc(2 * ticks.get(), 0, 0, 0, 0);
            }

            @Override
            public void hasNoCounters(String why) {
                throw new AssertionError(why);
            }
        };
        MachineWatch machine =
                new MachineWatch("c", "client", false, source, now -> Math.round(ticks.get() == 0 ? 0 : seconds * 1e9));
        machine.start();
        ticks.set(100);
        machine.end();
        return Objects.requireNonNull(machine.profile(0, 3));
    }

    @Test
    void restartedMachineHasNoFigures() {
        MachineCounters before = MachineCounters.parse(proc(1000, 1000, 1_000_000, 0, 0), "", false, 0, 1);
        MachineCounters after = MachineCounters.parse(proc(10, 10, 100, 0, 0), "", false, 1_000_000_000L, 1);

        assertThat(after.since(before, 0, NO_DISK)).isNull();
    }

    /** On a full machine, the processes are read later than the machine, at the end more so than at the start. */
    @Test
    void processesAreComparedWithTheMachineOfTheSamePeriod() {
        String stat = "7 (postgres) S 1 7 7 0 -1 4194560 0 0 0 0 %s 0 0 0 20 0";
        MachineCounters before = MachineCounters.parse(
                proc(1000, 1000, 0, 0, 0),
                String.format(Locale.ROOT, stat, 0) + "\ncpu  1100 0 100 1000 50 0 10 0",
                false,
                0,
                1);
        MachineCounters after = MachineCounters.parse(
                proc(1200, 1000, 0, 0, 0),
                String.format(Locale.ROOT, stat, 300) + "\ncpu  1500 0 100 1000 50 0 10 0",
                false,
                1_000_000_000L,
                2);

        assertThat(after.processesSince(before)).isEqualTo(0.75);
    }

    private static MachineFiles busy(long user, long steal, long wait, String disks, String received) {
        return new MachineFiles(Map.of(
                "/proc/loadavg",
                "0.10 0.20 0.30 1/2 3",
                "/proc/stat",
                "cpu  " + user + " 0 200 1000 " + wait + " 20 80 " + steal + " 0 0\n"
                        + "cpu0 0 0 0 500 0 0 0 0 0 0\n"
                        + "cpu1 " + user + " 0 0 0 0 20 " + user + " 0 0 0\n",
                "/proc/net/dev",
                "",
                "/proc/diskstats",
                disks,
                "/proc/softirqs",
                "          CPU0 CPU1\n  NET_TX: 1 2\n  NET_RX: " + received));
    }

    @Test
    void showsWhatTheCpusDid() {
        MachineSample sample = difference(busy(0, 0, 0, "", "0 0"), busy(60, 20, 20, "", "0 0"), false, NO_DISK);
        var cpu = Objects.requireNonNull(sample.use()).cpu();

        assertThat(cpu.user()).isEqualTo(0.6);
        assertThat(cpu.iowait()).isEqualTo(0.2);
        assertThat(cpu.steal()).isEqualTo(0.2);
        assertThat(cpu.busiest()).as("cpu1 was never idle").isEqualTo(1);
        assertThat(sample.cpuBusy()).as("without iowait").isEqualTo(0.8);
    }

    @Test
    void showsThatOneCpuReceivesFromTheNetwork() {
        MachineSample sample =
                difference(busy(0, 0, 0, "", "100 1000"), busy(60, 0, 0, "", "110 1990"), false, NO_DISK);
        var receive =
                Objects.requireNonNull(Objects.requireNonNull(sample.use()).receive());

        assertThat(receive.cpu()).isEqualTo(1);
        assertThat(receive.share()).isEqualTo(0.99);
        assertThat(receive.perSecond()).isEqualTo(500);
        assertThat(receive.cpuInterrupts()).isEqualTo(0.5);
    }

    private static List<Long> ofCards(String lines) {
        return MachineCounters.ofCards("CPU0       CPU2\n" + lines, List.of("eth0", "enp3s0f1"));
    }

    @Test
    void interruptsOfNetworkCardsAreThoseOfTheirQueues() {
        String queues = """
             38:   1 21686 PCI-MSIX-0000:00:03.0   1-edge      virtio2-input.0
             39:  10     3 PCI-MSIX-0000:00:03.0   2-edge      virtio2-output.0
            """;
        assertThat(ofCards(queues)).containsExactly(11L, 21_689L);
        assertThat(List.of("eth0", "eth0-TxRx-1", "eth0-q0-rx", "i40e-enp3s0f1-TxRx-4", "mlx5_comp0@pci:0000:41:00.0"))
                .allSatisfy(name -> assertThat(ofCards(" 25:  3   4   IR-PCI-MSI 52-edge " + name + "\n"))
                        .containsExactly(3L, 4L));
        assertThat(ofCards("  5:  3   4   IO-APIC 5-fasteoi uhci_hcd:usb1, eth0\n"))
                .as("a shared line")
                .containsExactly(3L, 4L);
        assertThat(List.of("virtio4-input", "virtio1-req.0", "nvme0q1", "eth01-rx", "peth0", "virtio2-config"))
                .allSatisfy(name -> assertThat(ofCards(" 25:  3   4   IR-PCI-MSI 52-edge " + name + "\n"))
                        .isEmpty());
        assertThat(ofCards("LOC:  5 6 Local timer interrupts\n 38: 7")).isEmpty();
        assertThat(MachineCounters.ofCards("", List.of("eth0"))).isEmpty();
    }

    @Test
    void showsThatOneCpuHandlesTheInterruptsOfTheCards() {
        MachineSample sample = difference(
                with(busy(0, 0, 0, "", "0 0"), " 38: 100 1000 PCI-MSIX-0000:00:03.0 1-edge virtio2-input.0"),
                with(busy(60, 0, 0, "", "0 0"), " 38: 110 1990 PCI-MSIX-0000:00:03.0 1-edge virtio2-input.0"),
                false,
                NO_DISK);
        var use = Objects.requireNonNull(sample.use());

        assertThat(use.receive()).isNull();
        assertThat(use.networkCards()).isEqualTo(new InterruptUse(500, 1, 0.99, 1, 0.5));
    }

    private static MachineFiles with(MachineFiles files, String interrupts) {
        Map<String, String> all = new HashMap<>(files.byPath());
        all.put("/proc/interrupts", "     CPU0 CPU1\n" + interrupts + "\n");
        return new MachineFiles(all);
    }

    /** A device mapper's disk on a partition of an NVMe disk: fields as of Linux 5.5, with discards and flushes. */
    private static String disks(long reads, long readMillis, long writes, long sectors, long writeMillis, long busy) {
        String fields = " " + reads + " 0 " + reads * 16 + " " + readMillis + " " + writes + " " + 2 * writes + " "
                + sectors + " " + writeMillis + " 3 " + busy + " " + 4 * busy + " 1 2 3 4 5 6\n";
        return " 259 0 nvme0n1" + fields + " 259 2 nvme0n1p2" + fields + " 253 0 dm-0" + fields
                + "   7 0 loop0 5 0 5 5 5 0 5 5 0 5 5\n 259 1 nvme0n1p1 0 0 0 0 0 0 0 0 0 0 0\n";
    }

    @Test
    void showsDisksPartitionsAndMappedDevicesAsIostatDoes() {
        MachineSample sample = difference(
                busy(0, 0, 0, disks(0, 0, 0, 0, 0, 0), "0 0"),
                busy(60, 0, 0, disks(200, 100, 600, 8000, 1500, 1900), "0 0"),
                false,
                "253:0");
        var all = Objects.requireNonNull(sample.use()).disks();

        assertThat(all).extracting(DiskUse::device).containsExactlyInAnyOrder("dm-0", "nvme0n1", "nvme0n1p2");
        assertThat(all.get(0))
                .isEqualTo(new DiskUse("dm-0", true, 100, 300, 0.8192, 2.048, 2.0, 0.5, 2.5, 0, 600, 7.0, 3.8, 0.95));
        assertThat(sample.diskWriteMbPerSecond()).as("counted once").isEqualTo(2.048);
    }

    @Test
    void addsUpProcessesAndTheirEndedChildren() {
        String stat = "%d (%s) S 1 2 3 4 5 6 7 8 9 10 %d %d %d %d 20 0 1 0 123 456";

        assertThat(MachineCounters.processTicks(stat.formatted(7, "postgres", 1, 20, 300, 4000) + "\n"
                        + stat.formatted(8, "odd) (name", 50_000, 0, 0, 0) + "\n"))
                .isEqualTo(54_321);
        assertThat(MachineCounters.processTicks("")).isNull();
    }
}
