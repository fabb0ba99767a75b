package io.pgstress.compare;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Figures that may explain a difference; the name contains the unit. Per successful operation unless stated otherwise. */
final class VariantFacts {
    static final String ROUND_TRIPS = "roundTripsPerOperation";
    static final String BYTES_IN = "bytesInPerOperation";
    static final String BYTES_OUT = "bytesOutPerOperation";
    static final String CLIENT_CPU = "clientCpuMicrosPerOperation";
    static final String TOTAL = "totalMicrosPerOperation";

    /** Clients in operations, on average, for each CPU of the client's machine. */
    static final String CLIENTS_PER_CPU = "clientsPerClientCpu";

    static final String ACQUIRE = "acquireMicrosPerOperation";
    static final String SERVER_STATEMENTS = "serverStatementsPerOperation";
    static final String SERVER_TIME = "serverExecMicrosPerOperation";
    static final String SERVER_CPU = "serverCpuMicrosPerOperation";
    static final String WAIT = "waitShare ";

    /** Prefix, followed by the group of operations, a colon and the wait. The value is a share of their time. */
    static final String WAIT_OF = "waitShareOf ";

    /** Prefix, followed by the group of operations. */
    static final String SAMPLED = "sampledOperationsOf ";

    static final String BLOCKS_HIT = "statementsBlocksHitPerOperation";
    static final String BLOCKS_READ = "statementsBlocksReadPerOperation";
    static final String WAL = "statementsWalBytesPerOperation";
    static final String NODE_STATEMENTS = "nodeStatementsPerOperation";
    static final String TWO_PHASE = "twoPhaseCommitsPerOperation";

    /** A lower bound of the two-phase commits, for nodes that dropped some of their counts. */
    static final String TWO_PHASE_AT_LEAST = "twoPhaseCommitsAtLeastPerOperation";

    static final String GENERIC = "genericPlanShare";

    /** The share of statements counted for the run's role that the run did not send. */
    static final String OTHERS = "otherStatementsShare";

    /** Prefix, followed by operation, statement, {@code of}, the total number and the unit. */
    static final String TOUCHED = "touched ";

    static final String CPU = "cpuBusy ";

    /** Prefix, followed by the node. The value is the share of the time in which its CPU quota was used up. */
    static final String THROTTLED = "cpuQuotaThrottled ";

    /** Prefix, followed by the node with a CPU quota. */
    static final String CORES = "cpuQuotaCoresUsed ";

    /** Prefix, followed by operation, statement, a colon and how the plan finds rows. The value is the share of blocks. */
    static final String PLAN = "plan ";

    private static final int MAX_WAITS = 12;
    static final double MIN_WAIT = 0.02;

    private final Map<String, Double> sums;
    private final Map<String, Double> facts = new LinkedHashMap<>();

    private VariantFacts(Map<String, Double> sums) {
        this.sums = sums;
    }

    static Map<String, Double> of(VariantTotals tally) {
        VariantFacts facts = new VariantFacts(tally.sums());
        facts.make();
        double cpuMicros =
                tally.sums().getOrDefault("clientCpus", 0.0) / Math.max(1, tally.blocks()) * tally.seconds() * 1e6;
        if (cpuMicros > 0) {
            facts.facts.put(CLIENTS_PER_CPU, tally.sums().getOrDefault("totalMicros", 0.0) / cpuMicros);
        }
        return facts.facts;
    }

    private void make() {
        per("ok", ROUND_TRIPS, "calls", 1);
        per("ok", BYTES_IN, "bytesIn", 1);
        per("ok", BYTES_OUT, "bytesOut", 1);
        per("ok", CLIENT_CPU, "clientCpuMicros", 1);
        per("ok", TOTAL, "totalMicros", 1);
        per("ok", SERVER_CPU, "serverCpuMicros", 1);
        per("ok", ACQUIRE, "acquireMicros", 1);
        // the servers' counters cover warm-up and drain too
        per("okInAll", SERVER_STATEMENTS, "serverCalls", 1);
        per("okInAll", SERVER_TIME, "serverExecMillis", 1000);
        per("okInAll", BLOCKS_HIT, "blocksHit", 1);
        per("okInAll", BLOCKS_READ, "blocksRead", 1);
        per("okInAll", WAL, "walBytes", 1);
        per("okInAll", NODE_STATEMENTS, "nodeStatements", 1);
        boolean areAll = sums.getOrDefault("nodesOfTooFewTwoPhase", 0.0) == 0;
        per("okInAll", areAll ? TWO_PHASE : TWO_PHASE_AT_LEAST, "twoPhaseCommits", 1);
        shares();
        averages("touched blocks ", "touched ", TOUCHED);
        averages("cpu blocks ", "cpu ", CPU);
        averages("throttled blocks ", "throttled ", THROTTLED);
        averages("cores blocks ", "cores ", CORES);
        sums.forEach((name, blocks) -> {
            if (name.startsWith(PLAN)) {
                facts.put(name, blocks / sums.getOrDefault("blocks", 1.0));
            }
        });
        waits();
        operationWaits();
    }

    private void operationWaits() {
        sums.forEach((name, value) -> {
            if (name.startsWith(SAMPLED)) {
                facts.put(name, value);
            } else if (name.startsWith(WAIT_OF)) {
                String group = name.substring(WAIT_OF.length()).split(": ", 2)[0];
                double share = value / sums.getOrDefault("seconds of " + group, 1.0);
                if (share >= MIN_WAIT) {
                    facts.put(name, share);
                }
            }
        });
    }

    private void shares() {
        double known = sums.getOrDefault("genericPlans", 0.0) + sums.getOrDefault("customPlans", 0.0);
        if (known > 0) {
            facts.put(GENERIC, sums.getOrDefault("genericPlans", 0.0) / known);
        }
        double counted = sums.getOrDefault("serverDataCalls", 0.0);
        if (counted > 0) {
            facts.put(OTHERS, Math.max(0, 1 - sums.getOrDefault("dataCallsInAll", 0.0) / counted));
        }
    }

    private void averages(String blocksOf, String sumOf, String fact) {
        sums.forEach((name, blocks) -> {
            if (name.startsWith(blocksOf)) {
                String what = name.substring(blocksOf.length());
                facts.put(fact + what, sums.getOrDefault(sumOf + what, 0.0) / blocks);
            }
        });
    }

    private void per(String of, String name, String sum, double factor) {
        double operations = sums.getOrDefault(of, 0.0);
        Double value = sums.get(sum);
        if (operations > 0 && value != null) {
            facts.put(name, value * factor / operations);
        }
    }

    private void waits() {
        double samples = sums.getOrDefault("waitSamples", 0.0);
        if (samples == 0) {
            return;
        }
        sums.entrySet().stream()
                .filter(e -> e.getKey().startsWith("wait ") && e.getValue() / samples >= MIN_WAIT)
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
                .limit(MAX_WAITS)
                .forEach(e -> facts.put(WAIT + e.getKey().substring("wait ".length()), e.getValue() / samples));
    }
}
