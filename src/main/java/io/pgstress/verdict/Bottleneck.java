package io.pgstress.verdict;

import io.pgstress.machine.CpuUse;
import io.pgstress.machine.DiskUse;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.verdict.Tier.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names the machines that were the limit during the measurement: a full CPU, disk, or CPU for network interrupts. */
public final class Bottleneck {
    /** A resource used for more than this share of the time is full: what needs it waits for its turn. */
    private static final double FULL = 0.9;

    private static final double MIN_STEAL = 0.1;

    /** Shorter pauses would be shown as 0.0 s. */
    private static final double MIN_PAUSED_SECONDS = 0.05;

    private final List<Tier> tiers;

    private Bottleneck(List<Tier> tiers) {
        this.tiers = tiers;
    }

    /**
     * The sentence for a result; null if no machine could be observed.
     *
     * @param nodes the nodes' machines, as far as they could be observed
     * @param others the client's machine and others
     * @param unobserved names of the nodes and others whose machines could not be observed
     * @param pausedSeconds duration of the pauses within the measurement, which the machines' figures include
     */
    public static @Nullable String of(
            List<HostProfile> nodes, List<HostProfile> others, List<String> unobserved, double pausedSeconds) {
        List<Tier> tiers =
                Tier.of(Stream.concat(nodes.stream(), others.stream()).toList());
        if (tiers.isEmpty()) {
            return null;
        }
        Bottleneck found = new Bottleneck(tiers);
        List<String> words = found.full();
        if (nodes.isEmpty()) {
            words.add((unobserved.size() == 1 ? "the server's machine" : "the servers' machines")
                    + " could not be observed");
        } else if (!unobserved.isEmpty()) {
            String names = unobserved.stream().map(HostProfile::shortNameOf).collect(Collectors.joining(", "));
            words.add(
                    words.isEmpty()
                            ? "none of the observed machines was full (not observed: " + names + ")"
                            : "not observed: " + names);
        } else if (words.isEmpty()) {
            words.add("no machine was full");
        }
        words.addAll(found.rest());
        if (pausedSeconds >= MIN_PAUSED_SECONDS) {
            words.add(String.format(Locale.ROOT, "pauses of %.1f s are included", pausedSeconds));
        }
        return String.join("; ", words);
    }

    private List<String> full() {
        List<String> full = new ArrayList<>();
        tiers.stream().filter(tier -> any(tier, Bottleneck::isCpuFull)).forEach(tier -> full.add(cpu(tier)));
        each((tier, machine) -> disk(tier, machine, full));
        each((tier, machine) -> network(tier, machine, full));
        each((tier, machine) -> stolen(tier, machine, full));
        return full;
    }

    /** The CPUs that were not full; empty if all were. */
    private List<String> rest() {
        String rest = tiers.stream()
                .filter(tier -> !any(tier, Bottleneck::isCpuFull))
                .map(tier -> {
                    String processes = ProcessShares.words(tier.machines());
                    return tier.possessive() + " " + range(tier.machines())
                            + (processes.isEmpty() ? "" : " (" + processes + ")");
                })
                .collect(Collectors.joining(", "));
        return rest.isEmpty() ? List.of() : List.of("CPU: " + rest);
    }

    private interface Check {
        void accept(Tier tier, Machine machine);
    }

    private void each(Check check) {
        tiers.forEach(tier -> tier.machines().forEach(machine -> check.accept(tier, machine)));
    }

    private static boolean any(Tier tier, Predicate<Machine> test) {
        return tier.machines().stream().anyMatch(test);
    }

    private static boolean isCpuFull(Machine machine) {
        return machine.busy() >= FULL;
    }

    private static String cpu(Tier tier) {
        List<Machine> full =
                tier.machines().stream().filter(Bottleneck::isCpuFull).toList();
        CpuUse most = full.stream()
                .max(Comparator.comparing(Machine::busy))
                .orElseThrow()
                .use()
                .cpu();
        String processes = ProcessShares.words(full);
        String kinds = " (" + range(full) + "; user " + percent(most.user()) + ", system " + percent(most.system())
                + ", interrupts " + percent(most.interrupts()) + (processes.isEmpty() ? "" : "; " + processes) + ")";
        List<Machine> idle = tier.machines().stream().filter(m -> !isCpuFull(m)).toList();
        return idle.isEmpty()
                ? (tier.isPlural() ? tier.of("CPUs") + " were full" : tier.of("CPU") + " was full") + kinds
                : "the CPU of " + full.stream().map(Machine::name).collect(Collectors.joining(", ")) + " was full"
                        + kinds + ", that of " + tier.others(idle.size()) + " " + range(idle);
    }

    /** The disk with the data, if known, or else the busiest. */
    private static void disk(Tier tier, Machine machine, List<String> full) {
        machine.use().disks().stream()
                .filter(disk -> disk.utilization() >= FULL)
                .max(Comparator.comparing(DiskUse::holdsData).thenComparing(DiskUse::utilization))
                .ifPresent(disk -> full.add(String.format(
                        Locale.ROOT,
                        "%s was busy %s of the time (%,.0f reads/s, %,.0f writes/s%s)",
                        tier.of("disk " + disk.device(), machine),
                        percent(disk.utilization()),
                        disk.readsPerSecond(),
                        disk.writesPerSecond(),
                        disk.awaitMillis() == null
                                ? ""
                                : String.format(Locale.ROOT, ", %.1f ms each", disk.awaitMillis()))));
    }

    /** One CPU that handles all interrupts of the network is a limit when it is full. */
    private static void network(Tier tier, Machine machine, List<String> full) {
        Stream.of(machine.use().receive(), machine.use().networkCards())
                .flatMap(Stream::ofNullable)
                .filter(interrupts -> interrupts.share() >= FULL && interrupts.cpuBusy() >= FULL)
                .findFirst()
                .ifPresent(interrupts -> full.add(String.format(
                        Locale.ROOT,
                        "%s alone handled %s of the network interrupts and was full (%s, interrupts %s)",
                        tier.of("CPU " + interrupts.cpu(), machine),
                        percent(interrupts.share()),
                        percent(interrupts.cpuBusy()),
                        percent(interrupts.cpuInterrupts()))));
    }

    private static void stolen(Tier tier, Machine machine, List<String> full) {
        if (machine.use().cpu().steal() >= MIN_STEAL) {
            full.add(String.format(
                    Locale.ROOT,
                    "other virtual machines took %s of %s",
                    percent(machine.use().cpu().steal()),
                    tier.of("CPU time", machine)));
        }
    }

    private static String range(List<Machine> machines) {
        double min = machines.stream().mapToDouble(Machine::busy).min().orElse(0);
        double max = machines.stream().mapToDouble(Machine::busy).max().orElse(0);
        return percent(min).equals(percent(max)) ? percent(max) : percent(min) + " to " + percent(max);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f%%", share * 100);
    }
}
