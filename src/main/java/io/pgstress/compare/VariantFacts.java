package io.pgstress.compare;

import io.pgstress.compare.Fact.Figure;
import io.pgstress.compare.Fact.OperationWait;
import io.pgstress.compare.Fact.Sampled;
import io.pgstress.compare.Fact.SessionWait;
import io.pgstress.compare.VariantTotals.Count;
import io.pgstress.compare.VariantTotals.GroupWaits;
import io.pgstress.compare.VariantTotals.Total;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Computes the {@link Fact}s of a variant from its totals. */
final class VariantFacts {
    private static final int MAX_WAITS = 12;
    static final double MIN_WAIT = 0.02;

    private final VariantTotals totals;
    private final Map<Fact, Double> facts = new LinkedHashMap<>();

    private VariantFacts(VariantTotals totals) {
        this.totals = totals;
    }

    static Map<Fact, Double> of(VariantTotals totals) {
        VariantFacts facts = new VariantFacts(totals);
        facts.make();
        return facts.facts;
    }

    private void make() {
        if (totals.sum(Count.RATE) > 0) {
            facts.put(Figure.RATE, totals.sum(Count.RATE) / Math.max(1, totals.blocks()));
        }
        per(Count.OK, Figure.ROUND_TRIPS, Count.CALLS, 1);
        per(Count.OK, Figure.PARSED, Count.PARSED_CALLS, 1);
        per(Count.OK, Figure.BYTES_IN, Count.BYTES_IN, 1);
        per(Count.OK, Figure.BYTES_OUT, Count.BYTES_OUT, 1);
        per(Count.OK, Figure.CLIENT_CPU, Count.CLIENT_CPU_MICROS, 1);
        per(Count.OK, Figure.TOTAL, Count.TOTAL_MICROS, 1);
        per(Count.OK, Figure.SERVER_CPU, Count.SERVER_CPU_MICROS, 1);
        per(Count.OK, Figure.ACQUIRE, Count.ACQUIRE_MICROS, 1);
        // the servers' counters cover warm-up and drain too
        per(Count.OK_IN_ALL, Figure.SERVER_STATEMENTS, Count.SERVER_CALLS, 1);
        per(Count.OK_IN_ALL, Figure.SERVER_TIME, Count.SERVER_EXEC_MILLIS, 1000);
        per(Count.OK_IN_ALL, Figure.BLOCKS_HIT, Count.BLOCKS_HIT, 1);
        per(Count.OK_IN_ALL, Figure.BLOCKS_READ, Count.BLOCKS_READ, 1);
        per(Count.OK_IN_ALL, Figure.WAL, Count.WAL_BYTES, 1);
        per(Count.OK_IN_ALL, Figure.NODE_STATEMENTS, Count.NODE_STATEMENTS, 1);
        boolean areAll = totals.sum(Count.NODES_OF_TOO_FEW_TWO_PHASE) == 0;
        per(Count.OK_IN_ALL, areAll ? Figure.TWO_PHASE : Figure.TWO_PHASE_AT_LEAST, Count.TWO_PHASE_COMMITS, 1);
        shares();
        averages(totals.server().touched());
        averages(totals.server().nodes());
        sorted(totals.server().scans())
                .forEach(scans -> facts.put(scans.fact(), scans.sum() / Math.max(1, totals.blocks())));
        waits();
        totals.server().groups().stream()
                .sorted(Comparator.comparing(waits -> waits.group().words()))
                .forEach(this::groupWaits);
        double cpuMicros = totals.sum(Count.CLIENT_CPUS) / Math.max(1, totals.blocks()) * totals.seconds() * 1e6;
        if (cpuMicros > 0) {
            facts.put(Figure.CLIENTS_PER_CPU, totals.sum(Count.TOTAL_MICROS) / cpuMicros);
        }
    }

    private void groupWaits(GroupWaits group) {
        facts.put(new Sampled(group.group()), group.sampledOperations());
        group.seconds().forEach((wait, seconds) -> {
            double share = seconds / group.allSeconds();
            if (share >= MIN_WAIT) {
                facts.put(new OperationWait(group.group(), wait), share);
            }
        });
    }

    private void shares() {
        double known = totals.sum(Count.GENERIC_PLANS) + totals.sum(Count.CUSTOM_PLANS);
        if (known > 0) {
            facts.put(Figure.GENERIC, totals.sum(Count.GENERIC_PLANS) / known);
        }
        double counted = totals.sum(Count.SERVER_DATA_CALLS);
        if (counted > 0) {
            facts.put(Figure.OTHERS, Math.max(0, 1 - totals.sum(Count.DATA_CALLS_IN_ALL) / counted));
        }
    }

    private <F extends Fact> void averages(List<Total<F>> all) {
        sorted(all).forEach(total -> facts.put(total.fact(), total.sum() / total.count()));
    }

    private static <F extends Fact> List<Total<F>> sorted(List<Total<F>> all) {
        return all.stream()
                .sorted(Comparator.comparing(total -> total.fact().inResults()))
                .toList();
    }

    private void per(Count of, Figure figure, Count count, double factor) {
        double operations = totals.sum(of);
        Double value = totals.sums().get(count);
        if (operations > 0 && value != null) {
            facts.put(figure, value * factor / operations);
        }
    }

    private void waits() {
        double all = totals.sum(Count.SESSION_SECONDS);
        if (all == 0) {
            return;
        }
        totals.server().sessionWaits().entrySet().stream()
                .filter(wait -> wait.getValue() / all >= MIN_WAIT)
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
                .limit(MAX_WAITS)
                .forEach(wait -> facts.put(new SessionWait(wait.getKey()), wait.getValue() / all));
    }
}
