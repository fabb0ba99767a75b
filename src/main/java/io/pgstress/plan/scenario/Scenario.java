package io.pgstress.plan.scenario;

import io.pgstress.plan.RunSpec;
import java.time.Duration;
import java.util.List;

/**
 * A comparison, checked and immutable: see {@link ScenarioExpansion}.
 *
 * @param workloads at least one; each is compared separately
 * @param baseline the variant that the others are compared with
 * @param limits limits that fail the comparison
 */
public record Scenario(
        String name,
        String description,
        List<Workload> workloads,
        String baseline,
        Hooks hooks,
        Effort effort,
        List<Limit> limits) {
    public Scenario {
        workloads = List.copyOf(workloads);
        limits = List.copyOf(limits);
    }

    /**
     * Variants under one load.
     *
     * @param name an empty string if the scenario has no workloads
     * @param variants at least one, with different names; the baseline first
     */
    public record Workload(String name, List<Variant> variants) {
        public Workload {
            variants = List.copyOf(variants);
        }
    }

    /** One of the alternatives. Each block is one run of it. */
    public record Variant(String name, RunSpec spec) {}

    /**
     * SQL to run on the first server around the blocks of a comparison; each text is sent separately.
     *
     * @param setup once, before the first block
     * @param reset before the warm-up of every block
     * @param teardown once, at the end, even if the comparison is interrupted
     */
    public record Hooks(List<String> setup, List<String> reset, List<String> teardown) {
        public static final Hooks NONE = new Hooks(List.of(), List.of(), List.of());

        public Hooks {
            setup = List.copyOf(setup);
            reset = List.copyOf(reset);
            teardown = List.copyOf(teardown);
        }
    }

    /**
     * The length of a comparison.
     *
     * @param rounds number of runs of each variant, at least 1; with {@code until} an upper bound
     * @param until the comparison ends when half the width of each ratio's interval is at most this, such as 0.02 for 2%; 0: it
     *     ends after {@code rounds}
     * @param maxTime no round begins after this time
     * @param margin differences up to this are ignored; 0: not given
     * @param clusters number of database clusters of each variant, if they differ in the server that is started; otherwise 0
     * @param seed the seed of the order
     */
    public record Effort(int rounds, double until, Duration maxTime, double margin, int clusters, long seed) {
        /** Whether the width of the intervals determines the end. */
        public boolean isUntil() {
            return until > 0;
        }

        /** A copy with this number of clusters. */
        public Effort withClusters(int number) {
            return new Effort(rounds, until, maxTime, margin, number, seed);
        }
    }

    /** The first run, for options that are the same in all blocks. */
    public RunSpec first() {
        return workloads.get(0).variants().get(0).spec();
    }
}
