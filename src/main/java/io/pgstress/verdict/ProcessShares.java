package io.pgstress.verdict;

import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.verdict.Tier.Machine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** How the nodes on one machine shared its CPUs. */
final class ProcessShares {
    /** A smaller share of a machine is not worth a word. */
    private static final double MIN_OTHERS = 0.05;

    private ProcessShares() {}

    /**
     * Such as {@code processes of the coordinator 45%, of the workers 8% to 9%, of the client 30%, at least 10% others}; empty if
     * each machine has one node, or if the shares of fewer than two nodes are known.
     */
    static String words(Collection<Machine> machines) {
        List<HostProfile> known = machines.stream()
                .filter(machine -> machine.nodes().size() > 1)
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
        for (HostProfile node : machine.nodes()) {
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
