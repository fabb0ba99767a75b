package io.pgstress.probe.machine;

import io.pgstress.machine.InterruptUse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts of one kind since the machine's start.
 *
 * @param byCpu their numbers; empty if unknown
 */
record InterruptCounts(List<Long> byCpu) {
    private static final Pattern RECEIVED = Pattern.compile("(?m)^ *NET_RX: +(\\d.*)$");
    private static final Pattern CPUS = Pattern.compile("^\\s*(CPU\\d+(?: +CPU\\d+)*)\\s*\n");

    /** Queues that are named by the driver (virtio-net, mlx4, mlx5, gve) instead of the interface. */
    private static final String DRIVERS = "virtio\\d+-(?:input|output)\\.\\d+|mlx4-\\S+|mlx5_\\S+|gve-\\S+";

    /** Those that process received packets, from {@code /proc/softirqs}. */
    static InterruptCounts received(String softIrqs) {
        Matcher m = RECEIVED.matcher(softIrqs);
        return new InterruptCounts(m.find() ? numbers(m.group(1)).toList() : List.of());
    }

    /**
     * Those of network cards, from {@code /proc/interrupts}; lines that were cut off are ignored.
     *
     * @param interfaces names of the cards' interfaces
     */
    static InterruptCounts ofCards(String interrupts, List<String> interfaces) {
        Matcher head = CPUS.matcher(interrupts);
        if (!head.find()) {
            return new InterruptCounts(List.of());
        }
        int cpus = head.group(1).split(" +", -1).length;
        String names = Stream.concat(Stream.of(DRIVERS), interfaces.stream().map(Pattern::quote))
                .collect(Collectors.joining("|"));
        Matcher line = Pattern.compile(
                        "(?m)^ *\\d+:((?: +\\d+){" + cpus + "}) +(?:.*[ ,-])?(?:" + names + ")(?!\\w).*$")
                .matcher(interrupts);
        List<Long> sums = new ArrayList<>();
        while (line.find()) {
            List<Long> counts = numbers(line.group(1)).toList();
            for (int cpu = 0; cpu < cpus; cpu++) {
                if (sums.size() <= cpu) {
                    sums.add(0L);
                }
                sums.set(cpu, sums.get(cpu) + counts.get(cpu));
            }
        }
        return new InterruptCounts(sums);
    }

    private static Stream<Long> numbers(String text) {
        return Stream.of(text.strip().split(" +", -1)).map(Long::valueOf);
    }

    /**
     * The CPU that handled most of them between two readings; null if there were none, if there is only one CPU, or if it is
     * unknown.
     *
     * @param cpus, cpusBefore times of all CPUs together, followed by each
     */
    @Nullable
    InterruptUse since(InterruptCounts before, List<CpuTicks> cpus, List<CpuTicks> cpusBefore, double seconds) {
        int count = Math.min(byCpu.size(), before.byCpu.size());
        long all = 0;
        long most = -1;
        int busiest = 0;
        for (int cpu = 0; cpu < count; cpu++) {
            long here = Math.max(0, byCpu.get(cpu) - before.byCpu.get(cpu));
            all += here;
            busiest = here > most ? cpu : busiest;
            most = Math.max(most, here);
        }
        if (all == 0 || count < 2 || busiest + 1 >= Math.min(cpus.size(), cpusBefore.size())) {
            return null;
        }
        CpuTicks now = cpus.get(busiest + 1);
        CpuTicks then = cpusBefore.get(busiest + 1);
        return new InterruptUse(
                MachineCounters.rounded(all / seconds),
                busiest,
                MachineCounters.rounded((double) most / all),
                now.busySince(then),
                now.interruptsSince(then));
    }
}
