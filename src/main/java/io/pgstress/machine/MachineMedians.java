package io.pgstress.machine;

import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The load of machines as the median of each figure over blocks. Blocks in which a figure is unknown do not count for it. */
public final class MachineMedians {
    private MachineMedians() {}

    /** One profile per machine, in the order of their first blocks, with the properties of the first block that knows them. */
    public static List<MachineProfile> of(Collection<List<MachineProfile>> blocks) {
        Map<String, List<MachineProfile>> byNode = new LinkedHashMap<>();
        blocks.forEach(block -> block.forEach(machine ->
                byNode.computeIfAbsent(machine.node(), n -> new ArrayList<>()).add(machine)));
        return byNode.values().stream().map(MachineMedians::machine).toList();
    }

    private static MachineProfile machine(List<MachineProfile> blocks) {
        MachineProfile first = blocks.get(0);
        return new MachineProfile(
                first.node(),
                first.role(),
                median(blocks, MachineProfile::cpuBusy),
                median(blocks, MachineProfile::loadAverage),
                median(blocks, MachineProfile::inMbitPerSecond),
                median(blocks, MachineProfile::outMbitPerSecond),
                median(blocks, MachineProfile::diskWriteMbPerSecond),
                List.of(),
                use(known(blocks, MachineProfile::use)),
                known(blocks, MachineProfile::environment).stream().findFirst().orElse(null),
                median(blocks, MachineProfile::processCpu));
    }

    private static @Nullable MachineUse use(List<MachineUse> blocks) {
        return blocks.isEmpty()
                ? null
                : new MachineUse(
                        cpu(blocks.stream().map(MachineUse::cpu).toList()),
                        disks(blocks),
                        middle(known(blocks, MachineUse::receive)),
                        middle(known(blocks, MachineUse::networkCards)));
    }

    private static CpuUse cpu(List<CpuUse> blocks) {
        return new CpuUse(
                of(blocks, CpuUse::user),
                of(blocks, CpuUse::system),
                of(blocks, CpuUse::interrupts),
                of(blocks, CpuUse::iowait),
                of(blocks, CpuUse::steal),
                of(blocks, CpuUse::busiest));
    }

    /** The disks that were used in at least half of the blocks: that with the data, followed by the busiest. */
    private static List<DiskUse> disks(List<MachineUse> blocks) {
        Map<String, List<DiskUse>> byDevice = new LinkedHashMap<>();
        blocks.forEach(block -> block.disks()
                .forEach(disk -> byDevice.computeIfAbsent(disk.device(), d -> new ArrayList<>())
                        .add(disk)));
        return byDevice.values().stream()
                .filter(disk -> disk.size() * 2 >= blocks.size())
                .map(MachineMedians::disk)
                .sorted(Comparator.comparing(DiskUse::holdsData)
                        .thenComparing(DiskUse::utilization)
                        .reversed())
                .toList();
    }

    private static DiskUse disk(List<DiskUse> blocks) {
        return new DiskUse(
                blocks.get(0).device(),
                blocks.get(0).holdsData(),
                of(blocks, DiskUse::readsPerSecond),
                of(blocks, DiskUse::writesPerSecond),
                of(blocks, DiskUse::readMbPerSecond),
                of(blocks, DiskUse::writeMbPerSecond),
                median(blocks, DiskUse::awaitMillis),
                median(blocks, DiskUse::readAwaitMillis),
                median(blocks, DiskUse::writeAwaitMillis),
                of(blocks, DiskUse::utilization));
    }

    /** That of the middle block by the share of one CPU: which CPU it was has no median. */
    private static @Nullable InterruptUse middle(List<InterruptUse> blocks) {
        return blocks.isEmpty()
                ? null
                : blocks.stream()
                        .sorted(Comparator.comparing(InterruptUse::share))
                        .toList()
                        .get((blocks.size() - 1) / 2);
    }

    private static <T, V> List<V> known(List<T> blocks, Function<T, @Nullable V> part) {
        return blocks.stream().map(part).filter(Objects::nonNull).toList();
    }

    private static <T> @Nullable Double median(List<T> blocks, Function<T, @Nullable Double> figure) {
        List<Double> known = known(blocks, figure);
        return known.isEmpty() ? null : Double.valueOf(of(known, value -> value));
    }

    private static <T> double of(List<T> blocks, Function<T, Double> figure) {
        double[] sorted = blocks.stream().mapToDouble(figure::apply).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
