package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.VariantMachines.BlockMachines;
import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import io.pgstress.machine.MachineUse;
import io.pgstress.report.Samples;
import io.pgstress.result.RunResult;
import io.pgstress.machine.MachineProfile;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** The machines of a variant over its blocks. */
final class VariantMachinesTest {
    private static MachineProfile machine(double busy, String disk) {
        MachineUse use = new MachineUse(
                new CpuUse(busy, 0, 0, 0, 0, busy),
                List.of(new DiskUse(disk, true, busy * 100, 0, 0, 0, null, null, null, busy)),
                new InterruptUse(1000 * busy, (int) (busy * 10), busy, busy, busy),
                null);
        return new MachineProfile("w1", "worker", busy, 1.0, 8 * busy, 0.0, null, List.of(), use, null, busy / 2);
    }

    private static BlockMachines block(MachineProfile machine) {
        return new BlockMachines(List.of(machine), List.of(), List.of("w2"), 0);
    }

    @Test
    void figuresAreMediansOverTheBlocks() {
        List<BlockMachines> blocks = DoubleStream.of(0.3, 0.98, 0.95, 0.92)
                .mapToObj(busy -> block(machine(busy, busy < 0.5 ? "other" : "sda")))
                .toList();

        VariantMachines variant = VariantMachines.of(blocks);

        MachineProfile worker = variant.loads().get(0);
        assertThat(variant.loads()).hasSize(1);
        assertThat(worker.cpuBusy()).isEqualTo(0.935);
        assertThat(worker.inMbitPerSecond()).isEqualTo(8 * 0.935);
        assertThat(worker.processCpu()).isEqualTo(0.4675);
        assertThat(worker.diskWriteMbPerSecond()).as("unknown in all blocks").isNull();
        assertThat(worker.use().disks())
                .singleElement()
                .satisfies(disk -> assertThat(disk.readsPerSecond()).isEqualTo(95));
        assertThat(worker.use().receive().cpu()).as("of one of the blocks").isEqualTo(9);
        assertThat(variant.bottleneck())
                .startsWith("the worker's CPU was full (94%")
                .contains("not observed: w2");
        assertThat(VariantMachines.of(List.of()).bottleneck()).isNull();
    }

    @Test
    void propertiesAreKeptOnceWithoutTheLoad() {
        RunResult run = Samples.open();
        VariantMachines variant =
                VariantMachines.of(List.of(BlockMachines.of(run, true), BlockMachines.of(run, false)));

        assertThat(VariantMachines.properties(List.of(variant, variant)))
                .hasSameSizeAs(run.serverProfile().allMachines())
                .allSatisfy(machine -> assertThat(machine.environment()).isNotNull())
                .allSatisfy(machine -> assertThat(machine.use()).isNull());
        assertThat(variant.loads())
                .allSatisfy(machine -> assertThat(machine.environment()).isNull())
                .allSatisfy(machine -> assertThat(machine.samples()).isEmpty())
                .extracting(MachineProfile::node)
                .containsExactlyElementsOf(run.serverProfile().allMachines().stream()
                        .map(MachineProfile::node)
                        .toList());
    }
}
