package io.pgstress.verdict.machine;

import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.verdict.machine.Tier.Machine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** How the nodes on one machine shared its CPUs. */
final class ProcessShares {
    /** The part of a machine's busy time that its nodes must account for; below it, some of their processes were not seen. */
    private static final double SEEN = 0.75;

    private ProcessShares() {}

    /**
     * Such as {@code processes of the coordinator 45%, of the workers 8% to 9%, of the client 30%}; empty if each machine has one
     * node, if the shares of fewer than two nodes are known, or if they do not account for most of what the machine did.
     */
    static String words(Collection<Machine> machines) {
        List<HostProfile> known = machines.stream()
                .filter(machine -> machine.nodes().size() > 1 && isSeen(machine))
                .flatMap(machine -> machine.nodes().stream())
                .filter(node -> node.processCpu() != null)
                .toList();
        if (known.size() < 2) {
            return "";
        }
        Map<String, DoubleSummaryStatistics> byRole = new LinkedHashMap<>();
        for (HostProfile node : known) {
            byRole.computeIfAbsent(
                            node.role().isEmpty() ? node.shortName() : node.role(), r -> new DoubleSummaryStatistics())
                    .accept(Objects.requireNonNull(node.processCpu()));
        }
        List<String> words = new ArrayList<>();
        byRole.forEach(
                (role, shares) -> words.add("of the " + role + (shares.getCount() == 1 ? " " : "s ") + range(shares)));
        return "processes " + String.join(", ", words);
    }

    private static boolean isSeen(Machine machine) {
        double processes = machine.nodes().stream()
                .mapToDouble(node -> Objects.requireNonNullElse(node.processCpu(), 0.0))
                .sum();
        double busy = machine.nodes().stream()
                .mapToDouble(node -> Objects.requireNonNullElse(node.cpuBusy(), 0.0))
                .max()
                .orElse(0);
        return processes >= SEEN * busy;
    }

    private static String range(DoubleSummaryStatistics shares) {
        String min = Bottleneck.percent(shares.getMin());
        String max = Bottleneck.percent(shares.getMax());
        return min.equals(max) ? max : min + " to " + max;
    }
}
