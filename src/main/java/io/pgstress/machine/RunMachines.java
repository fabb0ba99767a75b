package io.pgstress.machine;

import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import io.pgstress.text.Records;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The machines of a run, or of several runs as medians.
 *
 * @param hosts the machines of the cluster's nodes
 * @param machines the client's machine and those that were watched by {@code --watch-host}
 * @param unobserved names of the nodes and watched hosts whose machines could not be observed
 */
public record RunMachines(List<MachineProfile> hosts, List<MachineProfile> machines, List<String> unobserved) {
    /** No machine is known. */
    public static final RunMachines NONE = new RunMachines(List.of(), List.of(), List.of());

    /** The machines of the nodes, followed by the others. */
    public List<MachineProfile> all() {
        return Stream.concat(hosts.stream(), machines.stream()).toList();
    }

    /** Another form of each machine. */
    public RunMachines each(UnaryOperator<MachineProfile> form) {
        return new RunMachines(
                hosts.stream().map(form).toList(), machines.stream().map(form).toList(), unobserved);
    }

    /**
     * The machines of several runs: the median of each figure over the runs that know it, without samples, and with the properties of
     * the first run that knows them.
     */
    public static RunMachines medians(List<RunMachines> runs) {
        return new RunMachines(
                medians(runs.stream().map(RunMachines::hosts).toList()),
                medians(runs.stream().map(RunMachines::machines).toList()),
                runs.stream().flatMap(run -> run.unobserved.stream()).distinct().toList());
    }

    /** One profile per machine, in the order of their first runs. */
    private static List<MachineProfile> medians(Collection<List<MachineProfile>> runs) {
        Map<String, List<MachineProfile>> byNode = new LinkedHashMap<>();
        runs.forEach(run -> run.forEach(machine ->
                byNode.computeIfAbsent(machine.node(), n -> new ArrayList<>()).add(machine)));
        return byNode.values().stream().map(RunMachines::machine).toList();
    }

    private static MachineProfile machine(List<MachineProfile> runs) {
        return Records.with(median(runs), "samples", List.of());
    }

    /** Of each figure, the median of the runs that know it; of anything else, the first that is known. */
    private static <R extends Record> R median(List<R> runs) {
        return Records.make(
                runs.get(0),
                component -> medianOf(runs.stream()
                        .flatMap(run -> Stream.<Object>ofNullable(Records.value(run, component)))
                        .toList()));
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Object medianOf(List<?> known) {
        if (known.isEmpty()) {
            return null;
        }
        Object first = known.get(0);
        if (first instanceof Double) {
            double[] sorted = ((List<Double>) known)
                    .stream().mapToDouble(Double::doubleValue).sorted().toArray();
            int middle = sorted.length / 2;
            return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        }
        if (first instanceof MachineUse) {
            List<MachineUse> uses = (List<MachineUse>) known;
            return Records.with(median(uses), "disks", disks(uses));
        }
        if (first instanceof InterruptUse) { // which CPU it was has no median
            return ((List<InterruptUse>) known)
                    .stream()
                            .sorted(Comparator.comparing(InterruptUse::share))
                            .toList()
                            .get((known.size() - 1) / 2);
        }
        return first instanceof Record ? median((List<Record>) known) : first;
    }

    /** The disks that were used in at least half of the runs: that with the data, followed by the busiest. */
    private static List<DiskUse> disks(List<MachineUse> runs) {
        Map<String, List<DiskUse>> byDevice = new LinkedHashMap<>();
        runs.forEach(run -> run.disks()
                .forEach(disk -> byDevice.computeIfAbsent(disk.device(), d -> new ArrayList<>())
                        .add(disk)));
        return byDevice.values().stream()
                .filter(disk -> disk.size() * 2 >= runs.size())
                .map(RunMachines::median)
                .sorted(DiskUse.BUSIEST_FIRST)
                .toList();
    }
}
