package io.pgstress.plan.scenario;

import io.pgstress.plan.RunSpec;
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

    /** The first run, for options that are the same in all blocks. */
    public RunSpec first() {
        return workloads.get(0).variants().get(0).spec();
    }
}
