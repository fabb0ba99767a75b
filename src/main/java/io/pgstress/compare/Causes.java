package io.pgstress.compare;

import io.pgstress.compare.Fact.Figure;
import io.pgstress.compare.Fact.NodeFigure;
import io.pgstress.compare.Fact.OfNode;
import io.pgstress.compare.Fact.OperationWait;
import io.pgstress.compare.Fact.Sampled;
import io.pgstress.compare.Fact.Scans;
import io.pgstress.compare.Fact.SessionWait;
import io.pgstress.compare.Fact.Touched;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why one variant may differ from another: rules in order of importance, applied to both variants' {@link Fact}s.
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
    private final Map<Fact, Double> of;
    private final Map<Fact, Double> to;
    private final List<Remark> found = new ArrayList<>();

    Causes(String variant, Map<Fact, Double> facts, String baseline, Map<Fact, Double> baselineFacts) {
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
        figure(RemarkCode.CAUSE_PARSES, Figure.PARSED, 0.2);
        nodeShares(RemarkCode.CAUSE_QUOTA, NodeFigure.THROTTLED);
        figure(RemarkCode.CAUSE_TWO_PHASE_COMMITS, Figure.TWO_PHASE, 0.2);
        twoPhaseAtLeast(of, to, "at least", null);
        twoPhaseAtLeast(to, of, null, "at least");
        if (!of.containsKey(Figure.TWO_PHASE_AT_LEAST) && !to.containsKey(Figure.TWO_PHASE_AT_LEAST)) {
            figure(RemarkCode.CAUSE_NODE_STATEMENTS, Figure.NODE_STATEMENTS, 0.2);
        }
        figure(RemarkCode.CAUSE_ROUND_TRIPS, Figure.ROUND_TRIPS, 0.2);
        figure(RemarkCode.CAUSE_GENERIC_PLANS, Figure.GENERIC, 0.2);
        figure(RemarkCode.CAUSE_CONNECTION_WAITS, Figure.ACQUIRE, minMicros());
        if (isOwn(of) && isOwn(to)) {
            figureOfServer(RemarkCode.CAUSE_SERVER_STATEMENTS, Figure.SERVER_STATEMENTS, 0.2);
            figureOfServer(RemarkCode.CAUSE_WAL, Figure.WAL, 50);
            figureOfServer(RemarkCode.CAUSE_BLOCKS_READ, Figure.BLOCKS_READ, 0.1);
            figureOfServer(RemarkCode.CAUSE_BLOCKS_HIT, Figure.BLOCKS_HIT, 1);
            figureOfServer(RemarkCode.CAUSE_SERVER_TIME, Figure.SERVER_TIME, minMicros());
        }
        figure(RemarkCode.CAUSE_SERVER_CPU, Figure.SERVER_CPU, 2);
        figure(RemarkCode.CAUSE_BYTES_SENT, Figure.BYTES_OUT, 16);
        figure(RemarkCode.CAUSE_BYTES_RECEIVED, Figure.BYTES_IN, 16);
        if (!operationWaits() && hasSessionWaits(of) && hasSessionWaits(to)) { // --no-wait-samples
            both(SessionWait.class)
                    .filter(fact -> isCost(of.getOrDefault(fact, 0.0) - to.getOrDefault(fact, 0.0)))
                    .forEach(fact -> share(RemarkCode.CAUSE_WAITS, fact, fact.waitsFor()));
        }
        nodeShares(RemarkCode.CAUSE_CPU, NodeFigure.CPU_BUSY);
        figure(RemarkCode.CAUSE_CLIENT_CPU, Figure.CLIENT_CPU, 2);
    }

    /** The server that counted a statement: its own counts exclude the work of a coordinator's nodes. */
    private String server() {
        return both(Touched.class).findAny().isPresent() ? "coordinator" : "server";
    }

    /** A count that is too low is a lower bound; it is reported if even that exceeds the other variant's exact count. */
    private void twoPhaseAtLeast(
            Map<Fact, Double> least, Map<Fact, Double> whole, @Nullable String ownBound, @Nullable String otherBound) {
        Double bound = least.get(Figure.TWO_PHASE_AT_LEAST);
        Double exact = whole.get(Figure.TWO_PHASE);
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
    private static boolean isOwn(Map<Fact, Double> facts) {
        return facts.getOrDefault(Figure.OTHERS, 1.0) <= MAX_OF_OTHERS;
    }

    private void figure(RemarkCode code, Figure fact, double least) {
        if (isNotable(fact, least)) {
            found.add(code.with("variant", variant)
                    .with("own", of.get(fact))
                    .with("baseline", baseline)
                    .with("other", to.get(fact))
                    .remark());
        }
    }

    private void figureOfServer(RemarkCode code, Figure fact, double least) {
        if (isNotable(fact, least)) {
            found.add(code.with("variant", variant)
                    .with("server", server())
                    .with("own", of.get(fact))
                    .with("baseline", baseline)
                    .with("other", to.get(fact))
                    .remark());
        }
    }

    private boolean isNotable(Figure fact, double least) {
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
    private boolean explains(Figure fact, double difference) {
        if (fact == Figure.GENERIC) {
            return true;
        }
        Double a = of.get(Figure.TOTAL);
        Double b = to.get(Figure.TOTAL);
        if (!isCost(difference) || a == null || b == null || !isTime(fact)) {
            return isCost(difference);
        }
        double explained = Math.abs(difference);
        if ((fact == Figure.CLIENT_CPU || fact == Figure.SERVER_CPU) && isAnyCpuFull()) {
            explained *= Math.max(1, of.getOrDefault(Figure.CLIENTS_PER_CPU, 1.0));
        }
        return difference > 0 == a > b && explained >= MIN_EXPLAINED * Math.abs(a - b);
    }

    /**
     * Whether what the variant has more of (less, if negative) is more in the slower one: the one with the lower rate, which decides, or, of
     * results without rates, with the longer times. With more clients, times may be longer although the rate is not lower.
     */
    private boolean isCost(double difference) {
        Double ownRate = of.get(Figure.RATE);
        Double otherRate = to.get(Figure.RATE);
        if (ownRate != null && otherRate != null) {
            return difference > 0 == ownRate < otherRate;
        }
        Double own = of.get(Figure.TOTAL);
        Double other = to.get(Figure.TOTAL);
        return own == null || other == null || difference > 0 == own > other;
    }

    /** Whether a figure is a part of an operation's time. */
    private static boolean isTime(Figure fact) {
        return fact == Figure.ACQUIRE
                || fact == Figure.SERVER_TIME
                || fact == Figure.SERVER_CPU
                || fact == Figure.CLIENT_CPU;
    }

    private boolean isAnyCpuFull() {
        return isAny(NodeFigure.CPU_BUSY, FULL) || isAny(NodeFigure.THROTTLED, GroupLimits.MIN_THROTTLED);
    }

    private boolean isAny(NodeFigure figure, double least) {
        return both(OfNode.class)
                .filter(fact -> fact.figure() == figure)
                .anyMatch(fact -> Math.max(of.getOrDefault(fact, 0.0), to.getOrDefault(fact, 0.0)) >= least);
    }

    /** The smallest notable part of an operation's time, in microseconds. */
    private double minMicros() {
        double total = Math.min(of.getOrDefault(Figure.TOTAL, 0.0), to.getOrDefault(Figure.TOTAL, 0.0));
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
        mostPlans(to).forEach(plan -> others.put(plan.statement(), plan.scans()));
        mostPlans(of).forEach(plan -> {
            String other = others.getOrDefault(plan.statement(), plan.scans());
            if (!other.equals(plan.scans())) {
                found.add(RemarkCode.CAUSE_PLANS
                        .with("variant", variant)
                        .with("statement", plan.statement())
                        .with("own", plan.scans())
                        .with("baseline", baseline)
                        .with("other", other)
                        .remark());
            }
        });
    }

    /** The statements, each with the scans of its plan in more than half of the blocks. */
    private static Stream<Scans> mostPlans(Map<Fact, Double> facts) {
        return ofKind(facts, Scans.class).filter(plan -> facts.getOrDefault(plan, 0.0) > 0.5);
    }

    /** Where the statements go: {@code extended touches 2 of 2 datanodes, plain 1 of 2}. */
    private void touched() {
        List<Touched> own = ofKind(of, Touched.class).toList();
        Map<Map<String, String>, List<String>> statements = new LinkedHashMap<>();
        for (Touched here : own) {
            ofKind(to, Touched.class)
                    .filter(there -> here.statement().equals(there.statement())
                            && differ(of.getOrDefault(here, 0.0), to.getOrDefault(there, 0.0)))
                    .forEach(there -> {
                        String unit = there.unit().equals(here.unit()) ? "" : " " + there.unit();
                        statements
                                .computeIfAbsent(
                                        Map.of(
                                                "own",
                                                words(of, here) + " " + here.unit(),
                                                "other",
                                                words(to, there) + unit),
                                        w -> new ArrayList<>())
                                .add(here.statement());
                    });
        }
        statements.forEach((shares, which) -> found.add(RemarkCode.CAUSE_NODES_TOUCHED
                .with("variant", variant)
                .with("own", shares.get("own"))
                .with("statements", which.size() == own.size() ? null : String.join(" and ", which))
                .with("baseline", baseline)
                .with("other", shares.get("other"))
                .remark()));
    }

    /** {@code 2 of 2}, or {@code 24.5 of 32} if it varies between blocks. */
    private static String words(Map<Fact, Double> facts, Touched route) {
        double nodes = facts.getOrDefault(route, 0.0);
        return String.format(Locale.ROOT, nodes == Math.rint(nodes) ? "%.0f of %d" : "%.1f of %d", nodes, route.of());
    }

    /** The shares of the nodes whose figure is known for both variants. */
    private void nodeShares(RemarkCode code, NodeFigure figure) {
        both(OfNode.class)
                .filter(fact -> fact.figure() == figure && of.containsKey(fact) && to.containsKey(fact))
                .forEach(fact -> share(code, fact, fact.node()));
    }

    /** A share of time. One that only one of the variants has is 0 in the other. */
    private void share(RemarkCode code, Fact fact, String what) {
        double a = of.getOrDefault(fact, 0.0);
        double b = to.getOrDefault(fact, 0.0);
        if (Math.abs(a - b) > NOTABLE_SHARE) {
            found.add(code.with("what", what)
                    .with("own", percent(a))
                    .with("baseline", baseline)
                    .with("other", percent(b))
                    .remark());
        }
    }

    /** What operations of the slower variant wait for clearly more, the largest difference; returns whether there is any. */
    private boolean operationWaits() {
        Double own = of.get(Figure.TOTAL);
        Double other = to.get(Figure.TOTAL);
        if (own == null || other == null || !isCost(own - other)) {
            return false;
        }
        Map<Fact, Double> slow = own > other ? of : to;
        Map<Fact, Double> fast = own > other ? to : of;
        Optional<OperationWait> most = both(OperationWait.class)
                .filter(fact -> !OperationWaits.noCauses(isAnyCpuFull()).contains(fact.waitsFor()))
                .filter(fact -> Stream.of(of, to).allMatch(facts -> facts.containsKey(new Sampled(fact.group()))))
                .filter(fact -> operationWait(slow, fact)
                        .isApart(operationWait(fast, fact).plus(notSampled(fast, fact)), OperationWaits.MIN_APART))
                .max(Comparator.comparingDouble(
                        fact -> operationWait(slow, fact).share()
                                - operationWait(fast, fact).share()));
        most.ifPresent(fact -> found.add(RemarkCode.CAUSE_OPERATION_WAITS
                .with("operations", fact.group().words())
                .with("what", OperationWaits.WORDS.getOrDefault(fact.waitsFor(), "on " + fact.waitsFor()))
                .with("variant", variant)
                .with("own", percent(of.getOrDefault(fact, 0.0)))
                .with("baseline", baseline)
                .with("other", percent(to.getOrDefault(fact, 0.0)))
                .remark()));
        return most.isPresent();
    }

    private static Share operationWait(Map<Fact, Double> facts, OperationWait fact) {
        return Share.of(facts.getOrDefault(fact, 0.0), 0, facts.getOrDefault(new Sampled(fact.group()), 0.0));
    }

    /** All time that was not sampled may have been spent on any wait. */
    private static Share notSampled(Map<Fact, Double> facts, OperationWait fact) {
        return new Share(0, 0, facts.getOrDefault(new OperationWait(fact.group(), OperationWaits.NOT_SAMPLED), 0.0));
    }

    private static boolean hasSessionWaits(Map<Fact, Double> facts) {
        return ofKind(facts, SessionWait.class).findAny().isPresent();
    }

    private static <F extends Fact> Stream<F> ofKind(Map<Fact, Double> facts, Class<F> kind) {
        return facts.keySet().stream().filter(kind::isInstance).map(kind::cast);
    }

    /** The facts of a kind that either of the variants has, in the order of their names. */
    private <F extends Fact> Stream<F> both(Class<F> kind) {
        return Stream.concat(ofKind(of, kind), ofKind(to, kind))
                .distinct()
                .sorted(Comparator.comparing(Fact::inResults));
    }

    private static String percent(double share) {
        return share < VariantFacts.MIN_WAIT ? "under 2%" : Rounded.percent(share, 0);
    }
}
