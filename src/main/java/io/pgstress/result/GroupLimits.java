package io.pgstress.result;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse;
import io.pgstress.machine.MachineUse.MemoryLimitUse;
import io.pgstress.machine.MachineUse.QuotaUse;
import io.pgstress.machine.RunMachines;
import io.pgstress.text.Counted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The remarks on the limits of the control groups of nodes, such as containers: they hold processes up on an idle machine. */
public final class GroupLimits {
    /** A node that used up its quota in a smaller share of the time is not limited by it. */
    public static final double MIN_THROTTLED = 0.1;

    private static final double MIN_STALLED = 0.05;

    /** Where the time is unknown: fewer pages take little time to read, at 0.1 ms each 1% of it. */
    private static final double MIN_REREADS = 100;

    /** More nodes of a role are not named. */
    private static final int MAX_NAMED = 2;

    /** The root of a hierarchy of either version. */
    private static final Pattern ROOT = Pattern.compile("/sys/fs/cgroup(/cpu)?");

    private GroupLimits() {}

    /** Whether a node used up its quota. */
    static boolean isThrottled(MachineProfile node) {
        QuotaUse quota = quota(node);
        return quota != null && isUsedUp(quota);
    }

    /** The quota of the load generator, if it was used up. */
    public static Optional<QuotaUse> usedUpByClient(RunMachines machines) {
        return machines.machines().stream()
                .filter(machine -> machine.generatesLoad() && isThrottled(machine))
                .flatMap(machine -> Stream.ofNullable(quota(machine)))
                .findFirst();
    }

    private static boolean isUsedUp(QuotaUse quota) {
        return quota.throttled() >= MIN_THROTTLED;
    }

    private static @Nullable QuotaUse quota(MachineProfile node) {
        MachineUse use = node.use();
        return use == null ? null : use.quota();
    }

    /** Limits that were reached. */
    static List<Remark> causes(List<MachineProfile> nodes) {
        List<Remark> found = new ArrayList<>();
        byName(quotas(nodes).stream().filter(quota -> isUsedUp(quota.use)).toList())
                .forEach((name, quotas) -> found.add(RemarkCode.CPU_QUOTA_USED_UP
                        .with("node", name)
                        .with("cores", range(quotas, QuotaUse::cores))
                        .with("percent", range(quotas, use -> 100 * use.throttled()))
                        .remark()));
        Map<String, Long> roles = roles(nodes);
        for (MachineProfile node : nodes) {
            MemoryLimitUse limit = node.use() == null ? null : node.use().memoryLimit();
            if (limit != null && isCause(limit)) {
                found.add(RemarkCode.MEMORY_LIMIT_REACHED
                        .with("node", node.nameAmong(roles))
                        .with("megabytes", limit.bytes() / 1e6)
                        .with("rereads", Objects.requireNonNullElse(limit.rereadsPerSecond(), 0.0))
                        .remark());
            }
        }
        return found;
    }

    private static boolean isCause(MemoryLimitUse limit) {
        Double stalled = limit.stalled();
        return limit.hitsPerSecond() > 0
                && (stalled == null
                        ? Objects.requireNonNullElse(limit.rereadsPerSecond(), 0.0) >= MIN_REREADS
                        : stalled >= MIN_STALLED);
    }

    /** How much CPU the nodes with a quota used; empty if none has one. */
    static Optional<Remark> used(List<MachineProfile> nodes) {
        Map<String, Object> used = new LinkedHashMap<>();
        byName(quotas(nodes).stream()
                        .filter(quota -> quota.use.usedCores() != null)
                        .toList())
                .forEach((name, quotas) -> used.put(
                        name.replaceAll("\\bthe ", ""), range(quotas, use -> Objects.requireNonNull(use.usedCores()))));
        return used.isEmpty()
                ? Optional.empty()
                : Optional.of(RemarkCode.CORES_OF_QUOTAS.with("used", used).remark());
    }

    /**
     * A quota.
     *
     * @param name the nodes that share it
     * @param role their role; empty if they have none or several
     */
    private record Quota(String name, String role, QuotaUse use) {}

    private static List<Quota> quotas(List<MachineProfile> nodes) {
        Map<String, Long> roles = roles(nodes);
        Map<String, List<MachineProfile>> groups = new LinkedHashMap<>();
        nodes.stream()
                .filter(node -> quota(node) != null)
                .forEach(node -> groups.computeIfAbsent(group(node), g -> new ArrayList<>())
                        .add(node));
        return groups.values().stream()
                .map(sharing -> new Quota(
                        sharing.stream().map(node -> node.nameAmong(roles)).collect(Collectors.joining(" and ")),
                        sharing.size() == 1 ? sharing.get(0).role() : "",
                        Objects.requireNonNull(quota(sharing.get(0)))))
                .toList();
    }

    /** The quotas by the names of their nodes; those of many nodes of a role are one entry. */
    private static Map<String, List<QuotaUse>> byName(List<Quota> quotas) {
        Map<String, Long> roles = quotas.stream().collect(Collectors.groupingBy(Quota::role, Collectors.counting()));
        Map<String, List<QuotaUse>> byName = new LinkedHashMap<>();
        for (Quota quota : quotas) {
            long many = quota.role.isEmpty() ? 0 : roles.getOrDefault(quota.role, 0L);
            String name = many > MAX_NAMED ? Counted.of(many, quota.role) : quota.name;
            byName.computeIfAbsent(name, n -> new ArrayList<>()).add(quota.use);
        }
        return byName;
    }

    private static Object range(List<QuotaUse> quotas, Function<QuotaUse, Double> figure) {
        return Remark.range(quotas.stream().map(figure).toList());
    }

    /** Identifies the control group. A container sees its own group as the root, so that several may have the same name. */
    private static String group(MachineProfile node) {
        String group = Objects.requireNonNull(quota(node)).group();
        Environment machine = node.environment();
        return machine == null
                        || machine.kernelBoot() == null
                        || ROOT.matcher(group).matches()
                ? node.node()
                : machine.kernelBoot() + group;
    }

    private static Map<String, Long> roles(List<MachineProfile> nodes) {
        return nodes.stream().collect(Collectors.groupingBy(MachineProfile::role, Collectors.counting()));
    }
}
