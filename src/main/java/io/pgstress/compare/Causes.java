package io.pgstress.compare;

import io.pgstress.result.GroupLimits;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.OperationWaits.Share;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why one variant may differ from another: rules in order of importance, applied to both variants' {@link VariantFacts}.
 * A rule states only what was counted, and only if the counts cover the variants' own statements alone. To add a rule, add
 * a line to {@link #all}.
 */
final class Causes {
    private static final double NOTABLE = 1.15;

    /** A time has to explain half of the difference, too, so it may be as small as the effects that a comparison finds. */
    private static final double NOTABLE_TIME = 1.05;

    private static final double NOTABLE_SHARE = 0.15;
    private static final double MAX_OF_OTHERS = 0.02;
    private static final double MIN_MICROS = 5;
    private static final double MIN_OF_TOTAL = 0.05;
    private static final double MIN_EXPLAINED = 0.5;
    private static final double FULL = 0.9;
    private static final int MAX = 3;

    private final String variant;
    private final String baseline;
    private final Map<String, Double> of;
    private final Map<String, Double> to;
    private final List<Remark> found = new ArrayList<>();

    Causes(String variant, Map<String, Double> facts, String baseline, Map<String, Double> baselineFacts) {
        this.variant = variant;
        this.baseline = baseline;
        this.of = facts;
        this.to = baselineFacts;
        all();
    }

    /** What else differs, the most important first; empty if nothing notable does. */
    List<Remark> found() {
        return List.copyOf(found.subList(0, Math.min(MAX, found.size())));
    }

    private void all() {
        plans();
        touched();
        shares(RemarkCode.CAUSE_QUOTA, VariantFacts.THROTTLED);
        figure(RemarkCode.CAUSE_TWO_PHASE_COMMITS, VariantFacts.TWO_PHASE, 0.2);
        twoPhaseAtLeast(of, to, "at least", null);
        twoPhaseAtLeast(to, of, null, "at least");
        if (!of.containsKey(VariantFacts.TWO_PHASE_AT_LEAST) && !to.containsKey(VariantFacts.TWO_PHASE_AT_LEAST)) {
            figure(RemarkCode.CAUSE_NODE_STATEMENTS, VariantFacts.NODE_STATEMENTS, 0.2);
        }
        figure(RemarkCode.CAUSE_ROUND_TRIPS, VariantFacts.ROUND_TRIPS, 0.2);
        figure(RemarkCode.CAUSE_GENERIC_PLANS, VariantFacts.GENERIC, 0.2);
        figure(RemarkCode.CAUSE_CONNECTION_WAITS, VariantFacts.ACQUIRE, minMicros());
        if (isOwn(of) && isOwn(to)) {
            figureOfServer(RemarkCode.CAUSE_SERVER_STATEMENTS, VariantFacts.SERVER_STATEMENTS, 0.2);
            figureOfServer(RemarkCode.CAUSE_WAL, VariantFacts.WAL, 50);
            figureOfServer(RemarkCode.CAUSE_BLOCKS_READ, VariantFacts.BLOCKS_READ, 0.1);
            figureOfServer(RemarkCode.CAUSE_BLOCKS_HIT, VariantFacts.BLOCKS_HIT, 1);
            figureOfServer(RemarkCode.CAUSE_SERVER_TIME, VariantFacts.SERVER_TIME, minMicros());
        }
        figure(RemarkCode.CAUSE_SERVER_CPU, VariantFacts.SERVER_CPU, 2);
        figure(RemarkCode.CAUSE_BYTES_SENT, VariantFacts.BYTES_OUT, 16);
        figure(RemarkCode.CAUSE_BYTES_RECEIVED, VariantFacts.BYTES_IN, 16);
        if (!operationWaits() && hasAny(of, VariantFacts.WAIT) && hasAny(to, VariantFacts.WAIT)) { // --no-wait-samples
            shares(RemarkCode.CAUSE_WAITS, VariantFacts.WAIT);
        }
        shares(RemarkCode.CAUSE_CPU, VariantFacts.CPU);
        figure(RemarkCode.CAUSE_CLIENT_CPU, VariantFacts.CLIENT_CPU, 2);
    }

    /** The server that counted a statement: its own counts exclude the work of a coordinator's nodes. */
    private String server() {
        boolean isDistributed = !RouteFact.of(of).isEmpty() || !RouteFact.of(to).isEmpty();
        return isDistributed ? "coordinator" : "server";
    }

    /** A count that is too low is a lower bound; it is reported if even that exceeds the other variant's exact count. */
    private void twoPhaseAtLeast(
            Map<String, Double> least,
            Map<String, Double> whole,
            @Nullable String ownBound,
            @Nullable String otherBound) {
        Double bound = least.get(VariantFacts.TWO_PHASE_AT_LEAST);
        Double exact = whole.get(VariantFacts.TWO_PHASE);
        if (bound != null && exact != null && bound - exact >= 0.2 && differ(bound, exact)) {
            boolean isOwn = otherBound == null;
            found.add(RemarkCode.CAUSE_TWO_PHASE_COMMITS
                    .with("variant", variant)
                    .with("ownBound", ownBound)
                    .with("own", isOwn ? bound : exact)
                    .with("baseline", baseline)
                    .with("otherBound", otherBound)
                    .with("other", isOwn ? exact : bound)
                    .remark());
        }
    }

    /** Whether the server's counts cover only the variant's own statements. */
    private static boolean isOwn(Map<String, Double> facts) {
        return facts.getOrDefault(VariantFacts.OTHERS, 1.0) <= MAX_OF_OTHERS;
    }

    private void figure(RemarkCode code, String fact, double least) {
        if (isNotable(fact, least)) {
            found.add(code.with("variant", variant)
                    .with("own", of.get(fact))
                    .with("baseline", baseline)
                    .with("other", to.get(fact))
                    .remark());
        }
    }

    private void figureOfServer(RemarkCode code, String fact, double least) {
        if (isNotable(fact, least)) {
            found.add(code.with("variant", variant)
                    .with("server", server())
                    .with("own", of.get(fact))
                    .with("baseline", baseline)
                    .with("other", to.get(fact))
                    .remark());
        }
    }

    private boolean isNotable(String fact, double least) {
        Double a = of.get(fact);
        Double b = to.get(fact);
        return a != null
                && b != null
                && Math.abs(a - b) >= least
                && differ(a, b, isTime(fact) ? NOTABLE_TIME : NOTABLE)
                && explains(fact, a - b);
    }

    /**
     * Whether the slower variant has the larger figure and, for a figure that is part of an operation's time, the difference
     * explains at least half of the slowdown. On a full machine, an operation also waits while the clients that share its CPU
     * use theirs. A share of plans has no direction; unknown times explain nothing.
     */
    private boolean explains(String fact, double difference) {
        Double a = of.get(VariantFacts.TOTAL);
        Double b = to.get(VariantFacts.TOTAL);
        if (a == null || b == null || fact.equals(VariantFacts.GENERIC)) {
            return true;
        }
        double explained = Math.abs(difference);
        if ((fact.equals(VariantFacts.CLIENT_CPU) || fact.equals(VariantFacts.SERVER_CPU)) && isAnyCpuFull()) {
            explained *= Math.max(1, of.getOrDefault(VariantFacts.CLIENTS_PER_CPU, 1.0));
        }
        return difference > 0 == a > b && (!isTime(fact) || explained >= MIN_EXPLAINED * Math.abs(a - b));
    }

    /** Whether a figure is a part of an operation's time. */
    private static boolean isTime(String fact) {
        return fact.equals(VariantFacts.ACQUIRE)
                || fact.equals(VariantFacts.SERVER_TIME)
                || fact.equals(VariantFacts.SERVER_CPU)
                || fact.equals(VariantFacts.CLIENT_CPU);
    }

    private boolean isAnyCpuFull() {
        return isAny(VariantFacts.CPU, FULL) || isAny(VariantFacts.THROTTLED, GroupLimits.MIN_THROTTLED);
    }

    private boolean isAny(String kind, double least) {
        return names(kind).anyMatch(fact -> Math.max(of.getOrDefault(fact, 0.0), to.getOrDefault(fact, 0.0)) >= least);
    }

    /** The smallest notable part of an operation's time, in microseconds. */
    private double minMicros() {
        double total = Math.min(of.getOrDefault(VariantFacts.TOTAL, 0.0), to.getOrDefault(VariantFacts.TOTAL, 0.0));
        return Math.max(MIN_MICROS, MIN_OF_TOTAL * total);
    }

    private static boolean differ(double a, double b) {
        return differ(a, b, NOTABLE);
    }

    private static boolean differ(double a, double b, double times) {
        return Math.max(a, b) > times * Math.min(a, b);
    }

    /** How the rows of a statement are found, where most blocks of the two variants do it differently. */
    private void plans() {
        Map<String, String> others = new HashMap<>();
        mostPlans(to).forEach(plan -> others.put(plan[0], plan[1]));
        mostPlans(of).forEach(plan -> {
            String other = others.getOrDefault(plan[0], plan[1]);
            if (!other.equals(plan[1])) {
                found.add(RemarkCode.CAUSE_PLANS
                        .with("variant", variant)
                        .with("statement", plan[0])
                        .with("own", plan[1])
                        .with("baseline", baseline)
                        .with("other", other)
                        .remark());
            }
        });
    }

    /** The statements, each with the scans of its plan in more than half of the blocks. */
    private static Stream<String[]> mostPlans(Map<String, Double> facts) {
        return facts.entrySet().stream()
                .filter(fact -> fact.getKey().startsWith(VariantFacts.PLAN) && fact.getValue() > 0.5)
                .map(fact -> fact.getKey().substring(VariantFacts.PLAN.length()).split(": ", 2));
    }

    /** Where the statements go: {@code extended touches 2 of 2 datanodes, plain 1 of 2}. */
    private void touched() {
        List<RouteFact> own = RouteFact.of(of);
        Map<Map<String, String>, List<String>> statements = new LinkedHashMap<>();
        for (RouteFact here : own) {
            for (RouteFact there : RouteFact.of(to)) {
                if (here.statement().equals(there.statement()) && differ(here.nodes(), there.nodes())) {
                    String unit = there.unit().equals(here.unit()) ? "" : " " + there.unit();
                    statements
                            .computeIfAbsent(
                                    Map.of("own", here.share() + " " + here.unit(), "other", there.share() + unit),
                                    w -> new ArrayList<>())
                            .add(here.statement());
                }
            }
        }
        statements.forEach((shares, which) -> found.add(RemarkCode.CAUSE_NODES_TOUCHED
                .with("variant", variant)
                .with("own", shares.get("own"))
                .with("statements", which.size() == own.size() ? null : String.join(" and ", which))
                .with("baseline", baseline)
                .with("other", shares.get("other"))
                .remark()));
    }

    /** The shares of time of one kind. Waits seen in only one of the variants are 0 in the other; what a CPU did is then unknown. */
    private void shares(RemarkCode code, String kind) {
        names(kind)
                .filter(fact -> kind.equals(VariantFacts.WAIT) || (of.containsKey(fact) && to.containsKey(fact)))
                .forEach(fact -> {
                    double a = of.getOrDefault(fact, 0.0);
                    double b = to.getOrDefault(fact, 0.0);
                    if (Math.abs(a - b) > NOTABLE_SHARE) {
                        String what = fact.substring(kind.length());
                        found.add(code.with("what", what)
                                .with("own", percent(a))
                                .with("baseline", baseline)
                                .with("other", percent(b))
                                .remark());
                    }
                });
    }

    /** What operations of the slower variant wait for clearly more, the largest difference; returns whether there is any. */
    private boolean operationWaits() {
        Double own = of.get(VariantFacts.TOTAL);
        Double other = to.get(VariantFacts.TOTAL);
        if (own == null || other == null) {
            return false;
        }
        Map<String, Double> slow = own > other ? of : to;
        Map<String, Double> fast = own > other ? to : of;
        Optional<String> most = names(VariantFacts.WAIT_OF)
                .filter(fact -> !OperationWaits.noCauses(isAnyCpuFull()).contains(groupAndWait(fact)[1]))
                .filter(fact -> operationWait(slow, fact)
                        .isApart(operationWait(fast, fact).plus(notSampled(fast, fact)), OperationWaits.MIN_APART))
                .max(Comparator.comparingDouble(
                        fact -> operationWait(slow, fact).share()
                                - operationWait(fast, fact).share()));
        most.ifPresent(fact -> {
            String wait = groupAndWait(fact)[1];
            found.add(RemarkCode.CAUSE_OPERATION_WAITS
                    .with("operations", groupAndWait(fact)[0])
                    .with("what", OperationWaits.WORDS.getOrDefault(wait, "on " + wait))
                    .with("variant", variant)
                    .with("own", percent(of.getOrDefault(fact, 0.0)))
                    .with("baseline", baseline)
                    .with("other", percent(to.getOrDefault(fact, 0.0)))
                    .remark());
        });
        return most.isPresent();
    }

    private static Share operationWait(Map<String, Double> facts, String fact) {
        return Share.of(
                facts.getOrDefault(fact, 0.0),
                0,
                facts.getOrDefault(VariantFacts.SAMPLED + groupAndWait(fact)[0], 0.0));
    }

    /** All time that was not sampled may have been spent on any wait. */
    private static Share notSampled(Map<String, Double> facts, String fact) {
        String notSampled = VariantFacts.WAIT_OF + groupAndWait(fact)[0] + ": " + OperationWaits.NOT_SAMPLED;
        return new Share(0, 0, facts.getOrDefault(notSampled, 0.0));
    }

    private static String[] groupAndWait(String fact) {
        return fact.substring(VariantFacts.WAIT_OF.length()).split(": ", 2);
    }

    private static boolean hasAny(Map<String, Double> facts, String kind) {
        return facts.keySet().stream().anyMatch(fact -> fact.startsWith(kind));
    }

    private Stream<String> names(String kind) {
        return Stream.concat(of.keySet().stream(), to.keySet().stream())
                .filter(fact -> fact.startsWith(kind))
                .sorted()
                .distinct();
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
