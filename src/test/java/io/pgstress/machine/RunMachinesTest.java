package io.pgstress.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import io.pgstress.machine.MachineUse.QuotaUse;
import io.pgstress.report.Samples;
import io.pgstress.text.Records;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** The machines of several runs. */
final class RunMachinesTest {
    private static MachineProfile machine(double busy, String disk) {
        MachineUse use = new MachineUse(
                new CpuUse(busy, 0, 0, 0, 0, busy),
                List.of(new DiskUse(disk, true, busy * 100, 0, 0, 0, null, null, null, 0, 0, null, 0, busy)),
                new InterruptUse(1000 * busy, (int) (busy * 10), busy, busy, busy),
                null,
                new QuotaUse("/g", 0.5, busy, busy / 2),
                null);
        return new MachineProfile(
                "w1", "worker", busy, 1.0, 8 * busy, 0.0, null, List.of(), use, null, busy / 2, false);
    }

    @Test
    void figuresAreMediansOverTheRuns() {
        List<RunMachines> runs = DoubleStream.of(0.3, 0.98, 0.95, 0.92)
                .mapToObj(busy ->
                        new RunMachines(List.of(machine(busy, busy < 0.5 ? "other" : "sda")), List.of(), List.of("w2")))
                .toList();

        RunMachines medians = RunMachines.medians(runs);

        assertThat(medians.all()).hasSize(1);
        MachineProfile worker = medians.hosts().get(0);
        assertThat(worker.cpuBusy()).isEqualTo(0.935);
        assertThat(worker.inMbitPerSecond()).isEqualTo(8 * 0.935);
        assertThat(worker.processCpu()).isEqualTo(0.4675);
        assertThat(worker.diskWriteMbPerSecond()).as("unknown in all runs").isNull();
        assertThat(worker.use().disks())
                .singleElement()
                .satisfies(disk -> assertThat(disk.readsPerSecond()).isEqualTo(95));
        assertThat(worker.use().receive().cpu()).as("of one of the runs").isEqualTo(9);
        assertThat(medians.unobserved()).containsExactly("w2");
    }

    /** The system counts busy ticks, of which short work has fewer than its time. */
    @Test
    void machineIsAtLeastAsBusyAsItsOwnProcesses() {
        assertThat(Records.with(machine(0.07, "sda"), "processCpu", 0.101).cpuBusy())
                .isEqualTo(0.101);
        assertThat(Records.with(machine(0.07, "sda"), "processCpu", 0.02).cpuBusy())
                .isEqualTo(0.07);
    }

    @Test
    void loadAndPropertiesCanBeKeptApart() {
        MachineProfile client =
                Samples.open().serverProfile().machines().machines().get(0);

        assertThat(client.properties().environment())
                .isEqualTo(client.environment())
                .isNotNull();
        assertThat(client.properties().use()).isNull();
        assertThat(client.load().use()).isEqualTo(client.use());
        assertThat(client.load().environment()).isNull();
        assertThat(client.load().samples()).isEmpty();
    }
}
