package io.pgstress.machine;

import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.text.Rounded;
import io.pgstress.machine.Bottleneck.Tier.Machine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
            List<MachineProfile> nodes, List<MachineProfile> others, List<String> unobserved, double pausedSeconds) {
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
            String names = unobserved.stream().map(MachineProfile::shortNameOf).collect(Collectors.joining(", "));
            words.add(
                    words.isEmpty()
                            ? "none of the observed machines was full (not observed: " + names + ")"
                            : "not observed: " + names);
        } else if (words.isEmpty()) {
            words.add("no machine was full");
        }
        words.addAll(found.rest());
        if (pausedSeconds >= MIN_PAUSED_SECONDS) {
            words.add(Rounded.format("pauses of %.1f s are included", pausedSeconds));
        }
        return String.join("; ", words);
    }

    /**
     * The part (0 to 1) of the CPUs of a machine with several nodes, or of the machine on which it is largest, that processes of no node
     * used; below 0 if unknown.
     */
    public static double others(List<MachineProfile> all) {
        return Tier.of(all).stream()
                .flatMap(tier -> tier.machines().stream())
                .filter(machine -> machine.nodes().size() > 1)
                .filter(machine -> machine.nodes().stream().allMatch(node -> node.processCpu() != null))
                .mapToDouble(ProcessShares::others)
                .max()
                .orElse(-1);
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
                .ifPresent(disk -> full.add(Rounded.format(
                        "%s was busy %s of the time (%,.0f reads/s, %,.0f writes/s%s)",
                        tier.of("disk " + disk.device(), machine),
                        percent(disk.utilization()),
                        disk.readsPerSecond(),
                        disk.writesPerSecond(),
                        disk.awaitMillis() == null ? "" : Rounded.format(", %.1f ms each", disk.awaitMillis()))));
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
        return Rounded.percent(share, 0);
    }

    /** How the nodes on one machine shared its CPUs. */
    static final class ProcessShares {
        /** A smaller share of a machine is not worth a word. */
        private static final double MIN_OTHERS = 0.05;

        private ProcessShares() {}

        /**
         * Such as {@code processes of the coordinator 45%, of the workers 8% to 9%, of the client 30%, at least 10% others}; empty if
         * each machine has one node, or if the shares of fewer than two nodes are known.
         */
        static String words(Collection<Machine> machines) {
            List<MachineProfile> known = machines.stream()
                    .filter(machine -> machine.nodes().size() > 1)
                    .flatMap(machine -> machine.nodes().stream())
                    .filter(node -> node.processCpu() != null)
                    .toList();
            if (known.size() < 2) {
                return "";
            }
            Map<String, DoubleSummaryStatistics> byRole = new LinkedHashMap<>();
            for (MachineProfile node : known) {
                byRole.computeIfAbsent(
                                node.role().isEmpty() ? node.shortName() : node.role(),
                                r -> new DoubleSummaryStatistics())
                        .accept(Objects.requireNonNull(node.processCpu()));
            }
            List<String> words = new ArrayList<>();
            byRole.forEach((role, shares) ->
                    words.add("of the " + role + (shares.getCount() == 1 ? " " : "s ") + range(shares)));
            double others = machines.stream()
                    .filter(machine -> machine.nodes().size() > 1)
                    .mapToDouble(ProcessShares::others)
                    .max()
                    .orElse(0);
            if (others >= MIN_OTHERS) {
                words.add("at least " + Bottleneck.percent(others) + " others");
            }
            return "processes " + String.join(", ", words);
        }

        /**
         * The least that processes took that belong to no node. Whether the time of interrupts is part of the time of the processes
         * that they interrupt depends on the kernel (CONFIG_IRQ_TIME_ACCOUNTING), so all of it is left out.
         */
        private static double others(Machine machine) {
            double known = 0;
            for (MachineProfile node : machine.nodes()) {
                if (node.processCpu() == null) {
                    return 0;
                }
                known += node.processCpu();
            }
            return machine.use().cpu().user() + machine.use().cpu().system() - known;
        }

        private static String range(DoubleSummaryStatistics shares) {
            String min = Bottleneck.percent(shares.getMin());
            String max = Bottleneck.percent(shares.getMax());
            return min.equals(max) ? max : min + " to " + max;
        }
    }

    /** Machines of a run that have the same part in it, such as the workers. */
    record Tier(String name, boolean isPlural, List<Machine> machines) {

        /** A machine, with all nodes that run on it, and what it did during the measurement. */
        record Machine(List<MachineProfile> nodes, MachineUse use) {
            double busy() {
                return use.cpu().busy();
            }

            /** The name of its only node, or the names of all. */
            String name() {
                return nodes.stream().map(MachineProfile::shortName).collect(Collectors.joining(" and "));
            }

            private String role() {
                return nodes.size() == 1 ? nodes.get(0).role() : "";
            }

            /** Such as {@code the machine that coordinator, 2 workers and client share}. */
            private String words() {
                Map<String, Long> roles = nodes.stream()
                        .collect(Collectors.groupingBy(
                                node -> node.role().isEmpty() ? node.shortName() : node.role(),
                                LinkedHashMap::new,
                                Collectors.counting()));
                List<String> words = new ArrayList<>();
                roles.forEach((role, count) -> words.add(count == 1 ? role : count + " " + role + "s"));
                String last = words.remove(words.size() - 1);
                return "the machine that " + (words.isEmpty() ? "" : String.join(", ", words) + " and ") + last
                        + " share";
            }

            private String addresses() {
                return "the machine of "
                        + nodes.stream().map(MachineProfile::title).collect(Collectors.joining(", "));
            }
        }

        /** The tiers in order of appearance; nodes on one machine are a tier of their own. Machines without figures are omitted. */
        static List<Tier> of(Collection<MachineProfile> hosts) {
            List<Machine> machines = machines(hosts);
            boolean isOneShared = machines.stream()
                            .filter(machine -> machine.nodes.size() > 1)
                            .count()
                    == 1;
            Map<String, List<Machine>> byRole = new LinkedHashMap<>();
            for (Machine machine : machines) {
                String shared = isOneShared && machine.nodes.size() > 1 ? machine.words() : machine.addresses();
                String role = machine.role().isEmpty() ? shared : "the " + machine.role();
                byRole.computeIfAbsent(role, r -> new ArrayList<>()).add(machine);
            }
            List<Tier> tiers = new ArrayList<>();
            byRole.forEach((role, of) -> tiers.add(new Tier(of.size() == 1 ? role : role + "s", of.size() > 1, of)));
            return tiers;
        }

        private static List<Machine> machines(Collection<MachineProfile> hosts) {
            Map<String, List<MachineProfile>> byKernel = new LinkedHashMap<>();
            for (MachineProfile host : hosts) {
                Environment environment = host.environment();
                String kernel = environment == null || environment.kernelBoot() == null
                        ? "unknown " + byKernel.size()
                        : environment.kernelBoot();
                byKernel.computeIfAbsent(kernel, k -> new ArrayList<>()).add(host);
            }
            return byKernel.values().stream()
                    .filter(nodes -> nodes.stream().anyMatch(n -> n.use() != null))
                    .map(nodes -> new Machine(
                            nodes,
                            nodes.stream()
                                    .map(MachineProfile::use)
                                    .filter(Objects::nonNull)
                                    .findFirst()
                                    .orElseThrow()))
                    .toList();
        }

        private boolean isShared() {
            return machines.get(0).nodes.size() > 1;
        }

        /** Some of its machines, such as {@code the other 2 workers}. */
        String others(int count) {
            String role = machines.get(0).role();
            return "the other " + (count == 1 ? role : count + " " + role + "s");
        }

        /** A part of it, such as {@code the workers' CPU}. */
        String of(String part) {
            return isShared() ? "the " + part + " of " + name : possessive() + " " + part;
        }

        /** A part of one of its machines. */
        String of(String part, Machine machine) {
            return isPlural ? machine.name() + "'s " + part : of(part);
        }

        /** Whose figure follows. */
        String possessive() {
            return isShared() ? name : name + (isPlural ? "'" : "'s");
        }
    }
}
