package io.pgstress.result;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse;
import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.RunMachines;
import io.pgstress.text.Counted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The remarks on what was the limit during the measurement: a full CPU, disk, or CPU for network interrupts, or a limit of a node. */
public final class Bottleneck {
    /** A resource used for more than this share of the time is full: what needs it waits for its turn. */
    public static final double FULL = 0.9;

    private static final double MIN_STEAL = 0.1;

    /** With less time in interrupts, a full CPU does other work that could run elsewhere. */
    private static final double MIN_INTERRUPTS = 0.3;

    /** A smaller share of a machine is not worth a word. */
    private static final double MIN_OTHERS = 0.05;

    /** From this share on, processes that belong to no node are what filled a machine. */
    private static final double FILLING_OTHERS = 0.2;

    private static final String OTHERS = "others";

    /** Shorter pauses would be shown as 0.0 s. */
    private static final double MIN_PAUSED_SECONDS = 0.05;

    private Bottleneck() {}

    /**
     * The remarks on what was full, which are causes, followed by notes about the other machines; empty if no machine could be observed.
     *
     * @param pausedSeconds duration of the pauses within the measurement, which the machines' figures include
     */
    public static List<Remark> of(RunMachines machines, double pausedSeconds) {
        List<Tier> tiers = Tier.of(Machine.of(machines));
        if (tiers.isEmpty()) {
            return List.of();
        }
        List<Remark> found = new ArrayList<>(GroupLimits.causes(machines.all()));
        found.addAll(full(tiers));
        boolean isServerKnown = !machines.hosts().isEmpty();
        List<String> unobserved = machines.unobserved();
        if (found.isEmpty() && isServerKnown) {
            found.add(fullCpuOf(tiers)
                    .orElseGet(() -> (unobserved.isEmpty()
                                    ? RemarkCode.NO_MACHINE_FULL
                                    : RemarkCode.NO_OBSERVED_MACHINE_FULL)
                            .remark()));
        }
        if (!unobserved.isEmpty() || !isServerKnown) {
            String names = unobserved.stream().map(MachineProfile::shortNameOf).collect(Collectors.joining(", "));
            found.add(RemarkCode.MACHINES_NOT_OBSERVED
                    .with("machines", names.isEmpty() ? "the servers" : names)
                    .remark());
        }
        GroupLimits.used(machines.all()).ifPresent(found::add);
        notFull(tiers, found);
        if (pausedSeconds >= MIN_PAUSED_SECONDS) {
            found.add(RemarkCode.PAUSES_INCLUDED.with("seconds", pausedSeconds).remark());
        }
        return List.copyOf(found);
    }

    /** Whether the CPU of a machine was full, or the quota of a node, so that sessions or clients waited for their turn. */
    public static boolean isAnyCpuFull(RunMachines machines) {
        return machines.all().stream()
                .anyMatch(machine ->
                        GroupLimits.isThrottled(machine) || (machine.cpuBusy() != null && machine.cpuBusy() >= FULL));
    }

    /** The texts in one line; empty if nothing is known. */
    public static String line(Collection<Remark> bottleneck) {
        return String.join(". ", Remark.texts(bottleneck));
    }

    private static List<Remark> full(List<Tier> tiers) {
        List<Remark> found = new ArrayList<>();
        tiers.stream().filter(tier -> !tier.full().isEmpty()).map(Tier::fullCpu).forEach(found::add);
        for (Function<Machine, Optional<Remark>> other : List.<Function<Machine, Optional<Remark>>>of(
                Machine::fullDisk, Machine::fullNetwork, Machine::stolen)) {
            tiers.stream()
                    .flatMap(tier -> tier.machines.stream())
                    .flatMap(machine -> other.apply(machine).stream())
                    .forEach(found::add);
        }
        return found;
    }

    /** One CPU can be full on a machine that is not: what may use only this one, such as a single session, waits for its turn. */
    private static Optional<Remark> fullCpuOf(List<Tier> tiers) {
        return tiers.stream()
                .flatMap(tier -> tier.machines.stream())
                .filter(machine -> machine.use.cpu().busiest() >= FULL)
                .max(Comparator.comparing(machine -> machine.use.cpu().busiest()))
                .map(machine -> RemarkCode.ONE_CPU_FULL
                        .with("cpus", machine.cpus())
                        .with("machine", machine.name)
                        .with("percent", 100 * machine.use.cpu().busiest())
                        .remark());
    }

    private static void notFull(List<Tier> tiers, List<Remark> found) {
        Map<String, Object> rest = new LinkedHashMap<>();
        for (Tier tier : tiers) {
            List<Machine> idle =
                    tier.machines.stream().filter(machine -> !machine.isFull()).toList();
            Map<String, Object> shares = idle.size() == 1 ? idle.get(0).shares() : Map.of();
            if (!shares.isEmpty()) {
                found.add(RemarkCode.CPU_OF_SHARED_MACHINE_NOT_FULL
                        .with("machine", idle.get(0).name)
                        .with("percent", idle.get(0).busyPercent())
                        .with("shares", shares)
                        .remark());
            } else if (!idle.isEmpty()) {
                rest.put(tier.called(idle), range(idle));
            }
        }
        if (!rest.isEmpty()) {
            found.add(RemarkCode.CPU_NOT_FULL.with("busy", rest).remark());
        }
    }

    /**
     * A full machine on which other processes than those of nodes took much of the CPU.
     *
     * @param machine its name in sentences
     * @param percent the least that these processes took of its CPUs
     * @param hasClient whether clients run on it
     */
    public record FilledByOthers(String machine, double percent, boolean hasClient) {}

    /** The machine that others filled most; empty if there is none, or if it is unknown. */
    public static Optional<FilledByOthers> filledByOthers(RunMachines machines) {
        return Machine.of(machines).stream()
                .filter(Machine::isFilledByOthers)
                .map(machine -> new FilledByOthers(
                        machine.name,
                        100 * machine.others(),
                        machine.nodes.stream().anyMatch(MachineProfile::generatesLoad)))
                .max(Comparator.comparing(FilledByOthers::percent));
    }

    /**
     * A full machine that has clients but no server, and on which other processes used much of the CPU. They may be those of a server that
     * could not be observed. Empty if there is no such machine, or if it is unknown.
     */
    public static Optional<FilledByOthers> clientFilledByRest(RunMachines machines) {
        return Machine.of(machines).stream()
                .filter(machine -> machine.isFilledByRest()
                        && machine.nodes.stream().anyMatch(MachineProfile::generatesLoad)
                        && machine.nodes.stream().noneMatch(machines.hosts()::contains))
                .map(machine -> new FilledByOthers(machine.name, 100 * machine.rest(), true))
                .max(Comparator.comparing(FilledByOthers::percent));
    }

    /**
     * The part (0 to 1) of the CPUs of a machine with several nodes, or of the machine on which it is largest, that processes of no node
     * used; below 0 if unknown.
     */
    public static double others(RunMachines machines) {
        return Machine.of(machines).stream()
                .filter(Machine::isShared)
                .mapToDouble(Machine::others)
                .max()
                .orElse(-1);
    }

    /** How busy the CPUs of machines were in percent, as a figure of a remark. */
    private static Object range(List<Machine> machines) {
        return Remark.range(machines.stream().map(Machine::busyPercent).toList());
    }

    /**
     * A machine, with all nodes that run on it, and what it did during the measurement.
     *
     * @param name as in sentences: the role if no other has it; {@code this machine} if it is the only one with several nodes and one of
     *     them is the only client
     * @param areAllNodesKnown whether {@code nodes} are all that run on it: no node of the run is elsewhere unobserved
     */
    private record Machine(List<MachineProfile> nodes, MachineUse use, String name, boolean areAllNodesKnown) {
        /** The machines in order of appearance, without those that have no figures. */
        static List<Machine> of(RunMachines machines) {
            List<MachineProfile> hosts = machines.all();
            boolean areAllKnown = machines.unobserved().isEmpty()
                    && !machines.hosts().isEmpty()
                    && hosts.stream().anyMatch(MachineProfile::generatesLoad)
                    && hosts.stream()
                            .allMatch(host -> host.environment() != null
                                    && host.environment().kernelBoot() != null);
            Map<String, List<MachineProfile>> byKernel = new LinkedHashMap<>();
            for (MachineProfile host : hosts) {
                Environment environment = host.environment();
                String kernel = environment == null || environment.kernelBoot() == null
                        ? "unknown " + byKernel.size()
                        : environment.kernelBoot();
                byKernel.computeIfAbsent(kernel, k -> new ArrayList<>()).add(host);
            }
            boolean isOneShared =
                    byKernel.values().stream().filter(nodes -> nodes.size() > 1).count() == 1;
            Map<String, Long> roles =
                    hosts.stream().collect(Collectors.groupingBy(MachineProfile::role, Collectors.counting()));
            return byKernel.values().stream()
                    .flatMap(nodes -> nodes.stream()
                            .flatMap(node -> Stream.ofNullable(node.use()))
                            .limit(1)
                            .map(use -> new Machine(nodes, use, name(nodes, isOneShared, roles), areAllKnown)))
                    .toList();
        }

        private static String name(List<MachineProfile> nodes, boolean isOneShared, Map<String, Long> roles) {
            if (nodes.size() == 1) {
                return nodes.get(0).nameAmong(roles);
            }
            if (!isOneShared) {
                return "the machine of "
                        + nodes.stream().map(MachineProfile::title).collect(Collectors.joining(", "));
            }
            return Objects.equals(roles.get(MachineProfile.CLIENT), 1L)
                            && nodes.stream().anyMatch(MachineProfile::generatesLoad)
                    ? "this machine"
                    : "the machine of " + inWords(List.copyOf(roles(nodes).keySet()));
        }

        /** {@code a, b and c}. */
        private static String inWords(List<String> names) {
            int last = names.size() - 1;
            return last == 0 ? names.get(0) : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
        }

        /** The nodes by role, or name if they have none; the plural of the role if there are several. */
        private static Map<String, List<MachineProfile>> roles(List<MachineProfile> nodes) {
            Map<String, List<MachineProfile>> byRole = new LinkedHashMap<>();
            nodes.forEach(node -> byRole.computeIfAbsent(node.roleOrName(), r -> new ArrayList<>())
                    .add(node));
            Map<String, List<MachineProfile>> counted = new LinkedHashMap<>();
            byRole.forEach((role, of) -> counted.put(of.size() == 1 ? role : role + "s", of));
            return counted;
        }

        double busyPercent() {
            return 100 * busy();
        }

        /**
         * The busy share of its CPUs, 0 to 1: at least what its processes took. The kernel measures each turn of a process, but samples at
         * ticks whether a CPU is busy, which misses short turns.
         */
        private double busy() {
            return Math.min(1, Math.max(use.cpu().busy(), isMoreThanAll() ? 0 : processes()));
        }

        boolean isFull() {
            return busy() >= FULL;
        }

        private @Nullable Integer cpus() {
            return nodes.stream()
                    .flatMap(node -> Stream.ofNullable(node.environment()))
                    .flatMap(environment -> Stream.ofNullable(environment.cpus()))
                    .findFirst()
                    .orElse(null);
        }

        boolean isFilledByOthers() {
            return isFull() && others() >= FILLING_OTHERS;
        }

        /** Whether processes filled it that are none of the nodes' on it, perhaps those of nodes that could not be observed. */
        boolean isFilledByRest() {
            return isFull() && rest() >= FILLING_OTHERS;
        }

        boolean isShared() {
            return nodes.size() > 1;
        }

        /** Its role; its name if it has none, or is shared. */
        String role() {
            return isShared() ? name : nodes.get(0).roleOrName();
        }

        /**
         * How those on a shared machine, or on one that other processes filled, shared its CPUs, in percent: the nodes of a role together, and
         * {@code others} at least, first if they filled it. Processes that were read at other times than the machine may have taken a little
         * more than there is; their shares are then reduced in proportion. Empty for another machine, and if the shares of fewer than two nodes of a shared one are known.
         */
        Map<String, Object> shares() {
            List<MachineProfile> known =
                    nodes.stream().filter(node -> node.processCpu() != null).toList();
            boolean isFilled = isFilledByRest();
            if ((known.size() < 2 && !isFilled) || isMoreThanAll()) {
                return Map.of();
            }
            double part = 1 / Math.max(1, processes());
            Map<String, Object> shares = new LinkedHashMap<>();
            if (isFilled) {
                shares.put(OTHERS, 100 * rest());
            }
            roles(known)
                    .forEach((role, of) -> shares.put(
                            role,
                            of.stream()
                                    .mapToDouble(node -> 100 * part * Objects.requireNonNull(node.processCpu()))
                                    .sum()));
            if (others() >= MIN_OTHERS) {
                shares.putIfAbsent(OTHERS, 100 * others());
            }
            return shares;
        }

        /** The least that processes took of the machine that belong to no node; below 0 if unknown. */
        double others() {
            return areAllNodesKnown ? rest() : -1;
        }

        /**
         * The least that processes took of the machine that are none of the nodes' on it; below 0 if unknown. A full machine delays readings, each by
         * another time. The machine's time is therefore that of the node in whose period it was least: a node that was read late took a
         * smaller share of a longer period. Whether the time of interrupts is part of the time of the processes that they interrupt depends on
         * the kernel (CONFIG_IRQ_TIME_ACCOUNTING), so all of it is left out.
         */
        double rest() {
            boolean isKnown = nodes.stream().noneMatch(node -> node.processCpu() == null) && !isMoreThanAll();
            double worked = nodes.stream()
                    .flatMap(node -> Stream.ofNullable(node.use()))
                    .mapToDouble(each -> each.cpu().user() + each.cpu().system())
                    .min()
                    .orElse(0);
            return isKnown ? Math.max(0, worked - processes()) : -1;
        }

        /** Whether processes took more than there is, as when they were read at other times. */
        private boolean isMoreThanAll() {
            return processes() > 1 + MIN_OTHERS;
        }

        private double processes() {
            return nodes.stream()
                    .flatMap(node -> Stream.ofNullable(node.processCpu()))
                    .mapToDouble(Double::doubleValue)
                    .sum();
        }

        /** The disk with the data, if known, or else the busiest. */
        Optional<Remark> fullDisk() {
            return use.disks().stream()
                    .filter(disk -> disk.utilization() >= FULL)
                    .min(DiskUse.BUSIEST_FIRST)
                    .map(disk -> RemarkCode.DISK_OF_MACHINE
                            .with("disk", disk.device())
                            .with("machine", name)
                            .with("percent", 100 * disk.utilization())
                            .with("readsPerSecond", disk.readsPerSecond())
                            .with("writesPerSecond", disk.writesPerSecond())
                            .remark());
        }

        /** One CPU that handles all interrupts of the network is a limit when it is full of them, and the machine is not full anyway. */
        Optional<Remark> fullNetwork() {
            if (isFull()) {
                return Optional.empty();
            }
            return Stream.of(use.receive(), use.networkCards())
                    .flatMap(Stream::ofNullable)
                    .filter(interrupts -> interrupts.share() >= FULL
                            && interrupts.cpuBusy() >= FULL
                            && interrupts.cpuInterrupts() >= MIN_INTERRUPTS)
                    .findFirst()
                    .map(interrupts -> RemarkCode.CPU_OF_INTERRUPTS
                            .with("cpu", interrupts.cpu())
                            .with("machine", name)
                            .with("percent", 100 * interrupts.cpuBusy())
                            .with("sharePercent", 100 * interrupts.share())
                            .with("interruptsPercent", 100 * interrupts.cpuInterrupts())
                            .remark());
        }

        Optional<Remark> stolen() {
            double steal = use.cpu().steal();
            return steal < MIN_STEAL
                    ? Optional.empty()
                    : Optional.of(RemarkCode.CPU_STOLEN
                            .with("percent", 100 * steal)
                            .with("machine", name)
                            .remark());
        }
    }

    /** Machines of a run that have the same part in it, such as the workers. */
    private record Tier(String role, List<Machine> machines) {
        /** The tiers in order of appearance; a machine with several nodes is a tier of its own. */
        static List<Tier> of(List<Machine> machines) {
            Map<String, List<Machine>> byRole = new LinkedHashMap<>();
            machines.forEach(machine -> byRole.computeIfAbsent(machine.role(), r -> new ArrayList<>())
                    .add(machine));
            List<Tier> tiers = new ArrayList<>();
            byRole.forEach((role, of) -> tiers.add(new Tier(role, of)));
            return tiers;
        }

        List<Machine> full() {
            return machines.stream().filter(Machine::isFull).toList();
        }

        Remark fullCpu() {
            List<Machine> full = full();
            Machine most = full.stream()
                    .max(Comparator.comparing(Machine::busyPercent))
                    .orElseThrow();
            Map<String, Object> shares = full.size() == 1 ? most.shares() : Map.of();
            if (!shares.isEmpty()) {
                return RemarkCode.CPU_OF_SHARED_MACHINE
                        .with("machine", most.name)
                        .with("percent", most.busyPercent())
                        .with("shares", shares)
                        .remark();
            }
            CpuUse cpu = most.use.cpu();
            Map<String, Object> kinds = new LinkedHashMap<>();
            kinds.put("user", 100 * cpu.user());
            kinds.put("system", 100 * cpu.system());
            kinds.put("interrupts", 100 * cpu.interrupts());
            return RemarkCode.CPU_OF_MACHINE
                    .with("machine", nameOf(full))
                    .with("percent", range(full))
                    .with("kinds", kinds)
                    .remark();
        }

        /** The machines in a sentence: all of this role, or those with these names. */
        private String nameOf(List<Machine> some) {
            return some.size() == 1 || some.size() < machines.size()
                    ? some.stream().map(Machine::name).collect(Collectors.joining(", "))
                    : "the " + called(some);
        }

        /** What these machines of the tier are called in a list: {@code server}, {@code workers}, {@code other 2 workers}. */
        String called(List<Machine> some) {
            if (some.size() < machines.size()) {
                return some.size() == 1 ? "other " + role : "other " + Counted.of(some.size(), role);
            }
            return some.size() == 1 ? role : role + "s";
        }
    }
}
