package io.pgstress.machine;

import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names the machines that were the limit during the measurement: a full CPU, disk, or CPU for network interrupts. */
public final class Bottleneck {
    /** A resource used for more than this share of the time is full: what needs it waits for its turn. */
    private static final double FULL = 0.9;

    private static final double MIN_STEAL = 0.1;

    /** A smaller share of a machine is not worth a word. */
    private static final double MIN_OTHERS = 0.05;

    /** Shorter pauses would be shown as 0.0 s. */
    private static final double MIN_PAUSED_SECONDS = 0.05;

    private Bottleneck() {}

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
        List<String> words = full(tiers);
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
        String rest = tiers.stream()
                .filter(tier -> tier.full().isEmpty())
                .map(Tier::idleCpu)
                .collect(Collectors.joining(", "));
        if (!rest.isEmpty()) {
            words.add("CPU: " + rest);
        }
        if (pausedSeconds >= MIN_PAUSED_SECONDS) {
            words.add(Rounded.format("pauses of %.1f s are included", pausedSeconds));
        }
        return String.join("; ", words);
    }

    private static List<String> full(List<Tier> tiers) {
        List<String> words = new ArrayList<>();
        tiers.stream().filter(tier -> !tier.full().isEmpty()).map(Tier::fullCpu).forEach(words::add);
        List<BiFunction<Tier, Machine, Optional<String>>> others =
                List.of(Tier::fullDisk, Tier::fullNetwork, Tier::stolen);
        for (BiFunction<Tier, Machine, Optional<String>> other : others) {
            for (Tier tier : tiers) {
                tier.machines.forEach(machine -> other.apply(tier, machine).ifPresent(words::add));
            }
        }
        return words;
    }

    /**
     * The part (0 to 1) of the CPUs of a machine with several nodes, or of the machine on which it is largest, that processes of no node
     * used; below 0 if unknown.
     */
    public static double others(List<MachineProfile> all) {
        return Machine.of(all).stream().mapToDouble(Machine::others).max().orElse(-1);
    }

    private static String range(DoubleStream shares) {
        DoubleSummaryStatistics all = shares.summaryStatistics();
        String min = percent(all.getMin());
        String max = percent(all.getMax());
        return min.equals(max) ? max : min + " to " + max;
    }

    private static String busy(List<Machine> machines) {
        return range(machines.stream().mapToDouble(Machine::busy));
    }

    private static String percent(double share) {
        return Rounded.percent(share, 0);
    }

    /**
     * How the nodes on one machine shared its CPUs, such as {@code processes of the coordinator 45%, of the workers 8% to 9%, of the
     * client 30%, at least 10% others}; empty if each machine has one node, or if the shares of fewer than two nodes are known.
     */
    private static String processes(List<Machine> machines) {
        List<MachineProfile> known = machines.stream()
                .filter(Machine::isShared)
                .flatMap(machine -> machine.nodes.stream())
                .filter(node -> node.processCpu() != null)
                .toList();
        if (known.size() < 2) {
            return "";
        }
        Map<String, List<Double>> byRole = new LinkedHashMap<>();
        known.forEach(node -> byRole.computeIfAbsent(node.roleOrName(), r -> new ArrayList<>())
                .add(Objects.requireNonNull(node.processCpu())));
        List<String> words = new ArrayList<>();
        byRole.forEach((role, shares) -> words.add("of the " + role + (shares.size() == 1 ? " " : "s ")
                + range(shares.stream().mapToDouble(Double::doubleValue))));
        double others = machines.stream().mapToDouble(Machine::others).max().orElse(0);
        if (others >= MIN_OTHERS) {
            words.add("at least " + percent(others) + " others");
        }
        return "processes " + String.join(", ", words);
    }

    /** A machine, with all nodes that run on it, and what it did during the measurement. */
    private record Machine(List<MachineProfile> nodes, MachineUse use) {
        /** The machines in order of appearance, without those of which no figures are known. */
        static List<Machine> of(List<MachineProfile> hosts) {
            Map<String, List<MachineProfile>> byKernel = new LinkedHashMap<>();
            for (MachineProfile host : hosts) {
                Environment environment = host.environment();
                String kernel = environment == null || environment.kernelBoot() == null
                        ? "unknown " + byKernel.size()
                        : environment.kernelBoot();
                byKernel.computeIfAbsent(kernel, k -> new ArrayList<>()).add(host);
            }
            return byKernel.values().stream()
                    .flatMap(nodes -> nodes.stream()
                            .flatMap(node -> Stream.ofNullable(node.use()))
                            .limit(1)
                            .map(use -> new Machine(nodes, use)))
                    .toList();
        }

        double busy() {
            return use.cpu().busy();
        }

        boolean isFull() {
            return busy() >= FULL;
        }

        boolean isShared() {
            return nodes.size() > 1;
        }

        /** The name of its only node, or the names of all. */
        String name() {
            return nodes.stream().map(MachineProfile::shortName).collect(Collectors.joining(" and "));
        }

        String role() {
            return isShared() ? "" : nodes.get(0).role();
        }

        /**
         * The least that processes took of a shared machine that belong to no node; below 0 if unknown. Whether the time of interrupts is
         * part of the time of the processes that they interrupt depends on the kernel (CONFIG_IRQ_TIME_ACCOUNTING), so all of it is left
         * out.
         */
        double others() {
            double known = 0;
            for (MachineProfile node : nodes) {
                if (!isShared() || node.processCpu() == null) {
                    return -1;
                }
                known += node.processCpu();
            }
            return use.cpu().user() + use.cpu().system() - known;
        }

        /** Such as {@code the machine that coordinator, 2 workers and client share}. */
        String roles() {
            Map<String, Long> roles = nodes.stream()
                    .collect(Collectors.groupingBy(
                            MachineProfile::roleOrName, LinkedHashMap::new, Collectors.counting()));
            List<String> words = new ArrayList<>();
            roles.forEach((role, count) -> words.add(count == 1 ? role : count + " " + role + "s"));
            String last = words.remove(words.size() - 1);
            return "the machine that " + (words.isEmpty() ? "" : String.join(", ", words) + " and ") + last + " share";
        }

        String addresses() {
            return "the machine of " + nodes.stream().map(MachineProfile::title).collect(Collectors.joining(", "));
        }
    }

    /** Machines of a run that have the same part in it, such as the workers. */
    private record Tier(String name, boolean isPlural, List<Machine> machines) {
        /** The tiers in order of appearance; a machine with several nodes is a tier of its own. */
        static List<Tier> of(List<MachineProfile> hosts) {
            List<Machine> machines = Machine.of(hosts);
            boolean isOneShared = machines.stream().filter(Machine::isShared).count() == 1;
            Map<String, List<Machine>> byRole = new LinkedHashMap<>();
            for (Machine machine : machines) {
                String shared = isOneShared && machine.isShared() ? machine.roles() : machine.addresses();
                String role = machine.role().isEmpty() ? shared : "the " + machine.role();
                byRole.computeIfAbsent(role, r -> new ArrayList<>()).add(machine);
            }
            List<Tier> tiers = new ArrayList<>();
            byRole.forEach((role, of) -> tiers.add(new Tier(of.size() == 1 ? role : role + "s", of.size() > 1, of)));
            return tiers;
        }

        List<Machine> full() {
            return machines.stream().filter(Machine::isFull).toList();
        }

        String fullCpu() {
            List<Machine> full = full();
            CpuUse most = full.stream()
                    .max(Comparator.comparing(Machine::busy))
                    .orElseThrow()
                    .use
                    .cpu();
            String processes = processes(full);
            String kinds = " (" + Bottleneck.busy(full) + "; user " + percent(most.user()) + ", system "
                    + percent(most.system()) + ", interrupts " + percent(most.interrupts())
                    + (processes.isEmpty() ? "" : "; " + processes) + ")";
            List<Machine> idle = machines.stream().filter(m -> !m.isFull()).toList();
            if (idle.isEmpty()) {
                return (isPlural ? of("CPUs") + " were full" : of("CPU") + " was full") + kinds;
            }
            String role = machines.get(0).role();
            return "the CPU of " + full.stream().map(Machine::name).collect(Collectors.joining(", ")) + " was full"
                    + kinds + ", that of the other " + (idle.size() == 1 ? role : idle.size() + " " + role + "s") + " "
                    + Bottleneck.busy(idle);
        }

        String idleCpu() {
            String processes = processes(machines);
            return possessive() + " " + Bottleneck.busy(machines) + (processes.isEmpty() ? "" : " (" + processes + ")");
        }

        /** The disk with the data, if known, or else the busiest. */
        Optional<String> fullDisk(Machine machine) {
            return machine.use.disks().stream()
                    .filter(disk -> disk.utilization() >= FULL)
                    .min(DiskUse.BUSIEST_FIRST)
                    .map(disk -> Rounded.format(
                            "%s was busy %s of the time (%,.0f reads/s, %,.0f writes/s%s)",
                            of("disk " + disk.device(), machine),
                            percent(disk.utilization()),
                            disk.readsPerSecond(),
                            disk.writesPerSecond(),
                            disk.awaitMillis() == null ? "" : Rounded.format(", %.1f ms each", disk.awaitMillis())));
        }

        /** One CPU that handles all interrupts of the network is a limit when it is full. */
        Optional<String> fullNetwork(Machine machine) {
            return Stream.of(machine.use.receive(), machine.use.networkCards())
                    .flatMap(Stream::ofNullable)
                    .filter(interrupts -> interrupts.share() >= FULL && interrupts.cpuBusy() >= FULL)
                    .findFirst()
                    .map(interrupts -> Rounded.format(
                            "%s alone handled %s of the network interrupts and was full (%s, interrupts %s)",
                            of("CPU " + interrupts.cpu(), machine),
                            percent(interrupts.share()),
                            percent(interrupts.cpuBusy()),
                            percent(interrupts.cpuInterrupts())));
        }

        Optional<String> stolen(Machine machine) {
            double steal = machine.use.cpu().steal();
            return steal < MIN_STEAL
                    ? Optional.empty()
                    : Optional.of("other virtual machines took " + percent(steal) + " of " + of("CPU time", machine));
        }

        private boolean isShared() {
            return machines.get(0).isShared();
        }

        /** A part of it, such as {@code the workers' CPU}. */
        private String of(String part) {
            return isShared() ? "the " + part + " of " + name : possessive() + " " + part;
        }

        private String of(String part, Machine machine) {
            return isPlural ? machine.name() + "'s " + part : of(part);
        }

        /** Whose figure follows. */
        private String possessive() {
            return isShared() ? name : name + (isPlural ? "'" : "'s");
        }
    }
}
