package io.pgstress.compare;

import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why one variant may differ from another: rules in order of importance, applied to both variants' {@link VariantFacts}.
 * A rule states only what was counted, and only if the counts cover the variants' own statements alone. To add a rule, add
 * a line to {@link #all}.
 */
final class Causes {
    private static final double NOTABLE = 1.15;
    private static final double NOTABLE_SHARE = 0.15;
    private static final double MAX_OF_OTHERS = 0.02;
    private static final double MIN_MICROS = 5;
    private static final double MIN_OF_TOTAL = 0.05;
    private static final double MIN_EXPLAINED = 0.5;
    private static final double FULL = 0.9;
    private static final int MAX = 3;

    private final String name;
    private final String other;
    private final Map<String, Double> of;
    private final Map<String, Double> to;
    private final List<String> found = new ArrayList<>();

    Causes(String variant, Map<String, Double> facts, String baseline, Map<String, Double> baselineFacts) {
        this.name = variant;
        this.other = baseline;
        this.of = facts;
        this.to = baselineFacts;
    }

    /** What else differs, as a clause; null if nothing notable does. */
    @Nullable
    String words() {
        found.clear();
        all();
        return found.isEmpty() ? null : String.join("; ", found.subList(0, Math.min(MAX, found.size())));
    }

    private void all() {
        touched();
        figure(VariantFacts.TWO_PHASE, "takes %.1f two-phase commits per operation, %s %.1f", 0.2);
        twoPhaseAtLeast();
        if (!of.containsKey(VariantFacts.TWO_PHASE_AT_LEAST) && !to.containsKey(VariantFacts.TWO_PHASE_AT_LEAST)) {
            figure(VariantFacts.NODE_STATEMENTS, "makes the nodes run %.1f statements per operation, %s %.1f", 0.2);
        }
        figure(VariantFacts.ROUND_TRIPS, "takes %.1f round trips per operation, %s %.1f", 0.2);
        figure(VariantFacts.GENERIC, "runs %.2f of its statements by generic plans, %s %.2f", 0.2);
        figure(VariantFacts.ACQUIRE, "waits %.1f us per operation for a connection, %s %.1f", minMicros());
        if (isOwn(of) && isOwn(to)) {
            String where = isDistributed() ? " on the coordinator" : "";
            String server = isDistributed() ? "coordinator" : "server";
            figure(
                    VariantFacts.SERVER_STATEMENTS,
                    "makes the " + server + " run %.1f statements per operation, %s %.1f",
                    0.2);
            figure(VariantFacts.WAL, "writes %.0f bytes of WAL per operation" + where + ", %s %.0f", 50);
            figure(VariantFacts.BLOCKS_READ, "reads %.2f blocks per operation from disk" + where + ", %s %.2f", 0.1);
            figure(VariantFacts.BLOCKS_HIT, "accesses %.1f blocks per operation" + where + ", %s %.1f", 1);
            figure(VariantFacts.SERVER_TIME, "needs %.0f us per operation on the " + server + ", %s %.0f", minMicros());
        }
        figure(VariantFacts.BYTES_OUT, "sends %.0f bytes per operation, %s %.0f", 16);
        figure(VariantFacts.BYTES_IN, "receives %.0f bytes per operation, %s %.0f", 16);
        waits();
        cpu();
        figure(VariantFacts.CLIENT_CPU, "uses %.0f us of client CPU per operation, %s %.0f", 2);
    }

    /** Whether there are nodes behind the servers that clients connect to; a statement's own counts exclude their work. */
    private boolean isDistributed() {
        return !RouteFact.of(of).isEmpty() || !RouteFact.of(to).isEmpty();
    }

    /** A count that is too low is a lower bound; it is reported if even that exceeds the other variant's exact count. */
    private void twoPhaseAtLeast() {
        above(
                of.get(VariantFacts.TWO_PHASE_AT_LEAST),
                to.get(VariantFacts.TWO_PHASE),
                "takes at least %2$.1f %1$s, " + other + " %3$.1f");
        above(
                to.get(VariantFacts.TWO_PHASE_AT_LEAST),
                of.get(VariantFacts.TWO_PHASE),
                "takes %3$.1f %1$s, " + other + " at least %2$.1f");
    }

    private void above(@Nullable Double least, @Nullable Double whole, String words) {
        if (least != null && whole != null && least - whole >= 0.2 && differ(least, whole)) {
            found.add(name + " " + String.format(Locale.ROOT, words, "two-phase commits per operation", least, whole));
        }
    }

    /** Whether the server's counts cover only the variant's own statements. */
    private static boolean isOwn(Map<String, Double> facts) {
        return facts.getOrDefault(VariantFacts.OTHERS, 1.0) <= MAX_OF_OTHERS;
    }

    private void figure(String fact, String words, double least) {
        Double a = of.get(fact);
        Double b = to.get(fact);
        if (a != null && b != null && Math.abs(a - b) >= least && differ(a, b) && explains(fact, a - b)) {
            found.add(name + " " + String.format(Locale.ROOT, words, a, other, b));
        }
    }

    /**
     * Whether the slower variant has the larger figure and, for a figure that is part of an operation's time, the difference
     * is at least half of the slowdown. On a full machine, an operation also waits for the CPU time of others, so that it takes more than its
     * own. A share of plans has no direction; unknown times explain nothing.
     */
    private boolean explains(String fact, double difference) {
        Double a = of.get(VariantFacts.TOTAL);
        Double b = to.get(VariantFacts.TOTAL);
        if (a == null || b == null || fact.equals(VariantFacts.GENERIC)) {
            return true;
        }
        boolean isTime = fact.equals(VariantFacts.ACQUIRE)
                || fact.equals(VariantFacts.SERVER_TIME)
                || (fact.equals(VariantFacts.CLIENT_CPU) && !isAnyCpuFull());
        return difference > 0 == a > b && (!isTime || Math.abs(difference) >= MIN_EXPLAINED * Math.abs(a - b));
    }

    private boolean isAnyCpuFull() {
        return names(VariantFacts.CPU).stream()
                .anyMatch(fact -> Math.max(of.getOrDefault(fact, 0.0), to.getOrDefault(fact, 0.0)) >= FULL);
    }

    /** The smallest notable part of an operation's time, in microseconds. */
    private double minMicros() {
        double total = Math.min(of.getOrDefault(VariantFacts.TOTAL, 0.0), to.getOrDefault(VariantFacts.TOTAL, 0.0));
        return Math.max(MIN_MICROS, MIN_OF_TOTAL * total);
    }

    private static boolean differ(double a, double b) {
        return Math.max(a, b) > NOTABLE * Math.min(a, b);
    }

    /** Where the statements go: {@code extended touches 2 of 2 datanodes, plain 1 of 2}. */
    private void touched() {
        List<RouteFact> others = RouteFact.of(to);
        List<RouteFact> own = RouteFact.of(of);
        Map<String, List<String>> statements = new LinkedHashMap<>();
        for (RouteFact here : own) {
            for (RouteFact there : others) {
                if (here.statement().equals(there.statement()) && differ(here.nodes(), there.nodes())) {
                    String words = here.share() + " " + here.unit() + "%s, " + other + " " + there.share()
                            + (there.unit().equals(here.unit()) ? "" : " " + there.unit());
                    statements.computeIfAbsent(words, w -> new ArrayList<>()).add(here.statement());
                }
            }
        }
        statements.forEach((words, which) -> found.add(name + " touches "
                + words.replace("%s", which.size() == own.size() ? "" : " by " + String.join(" and ", which))));
    }

    /** A wait seen in only one of the two variants counts as 0 for the other. */
    private void waits() {
        names(VariantFacts.WAIT).forEach(fact -> {
            double a = of.getOrDefault(fact, 0.0);
            double b = to.getOrDefault(fact, 0.0);
            if (Math.abs(a - b) > NOTABLE_SHARE) {
                found.add("its sessions were '" + fact.substring(VariantFacts.WAIT.length()) + "' " + percent(a)
                        + " of the time, those of " + other + " " + percent(b));
            }
        });
    }

    /** The busy share of a machine's cores, if known for the node in both variants. */
    private void cpu() {
        names(VariantFacts.CPU).forEach(fact -> {
            Double a = of.get(fact);
            Double b = to.get(fact);
            if (a != null && b != null && Math.abs(a - b) > NOTABLE_SHARE) {
                found.add("the CPU of " + fact.substring(VariantFacts.CPU.length()) + " was busy " + percent(a)
                        + " of the time, with " + other + " " + percent(b));
            }
        });
    }

    private Set<String> names(String prefix) {
        Set<String> names = new TreeSet<>(of.keySet());
        names.addAll(to.keySet());
        names.removeIf(n -> !n.startsWith(prefix));
        return names;
    }

    private static String percent(double share) {
        return share < VariantFacts.MIN_WAIT ? "under 2%" : Rounded.percent(share, 0);
    }

    /**
     * How many nodes or shards a statement touches, from a fact such as {@code touched find_first select of 2 datanodes}.
     *
     * @param statement the operation and the statement
     * @param nodes number of nodes touched, averaged over the blocks
     */
    record RouteFact(String statement, double nodes, String of, String unit) {
        private static final Pattern FORM = Pattern.compile(VariantFacts.TOUCHED + "(.*) of (\\d+) (\\w+)");

        /** The routes among a variant's facts. */
        static List<RouteFact> of(Map<String, Double> facts) {
            return facts.entrySet().stream()
                    .map(fact -> Map.entry(FORM.matcher(fact.getKey()), fact.getValue()))
                    .filter(fact -> fact.getKey().matches())
                    .map(fact -> of(fact.getKey(), fact.getValue()))
                    .toList();
        }

        private static RouteFact of(Matcher name, double nodes) {
            return new RouteFact(name.group(1), nodes, name.group(2), name.group(3));
        }

        /** {@code 2 of 2}, or {@code 24.5 of 32} if it varies between blocks. */
        String share() {
            return String.format(Locale.ROOT, nodes == Math.rint(nodes) ? "%.0f of %s" : "%.1f of %s", nodes, of);
        }
    }
}
