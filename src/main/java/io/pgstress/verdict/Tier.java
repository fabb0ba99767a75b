package io.pgstress.verdict;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineUse;
import io.pgstress.result.ServerProfile.HostProfile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Machines of a run that have the same part in it, such as the workers. */
record Tier(String name, boolean isPlural, List<Machine> machines) {

    /** A machine, with all nodes that run on it, and what it did during the measurement. */
    record Machine(List<HostProfile> nodes, MachineUse use) {
        double busy() {
            return use.cpu().busy();
        }

        /** The name of its only node, or the names of all. */
        String name() {
            return nodes.stream().map(HostProfile::shortName).collect(Collectors.joining(" and "));
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
            return "the machine that " + (words.isEmpty() ? "" : String.join(", ", words) + " and ") + last + " share";
        }

        private String addresses() {
            return "the machine of " + nodes.stream().map(HostProfile::title).collect(Collectors.joining(", "));
        }
    }

    /** The tiers in order of appearance; nodes on one machine are a tier of their own. Machines without figures are omitted. */
    static List<Tier> of(Collection<HostProfile> hosts) {
        List<Machine> machines = machines(hosts);
        boolean isOneShared =
                machines.stream().filter(machine -> machine.nodes.size() > 1).count() == 1;
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

    private static List<Machine> machines(Collection<HostProfile> hosts) {
        Map<String, List<HostProfile>> byKernel = new LinkedHashMap<>();
        for (HostProfile host : hosts) {
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
                                .map(HostProfile::use)
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
