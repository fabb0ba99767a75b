package io.pgstress.plan.scenario;

import io.pgstress.plan.RunSpec;
import java.util.List;

/**
 * A comparison, checked and immutable: see {@link ScenarioExpansion}.
 *
 * @param workloads at least one; each is compared by itself
 * @param baseline the variant that the others are compared with
 * @param limits what makes the comparison fail
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
     * @param name an empty string where the scenario names none
     * @param variants at least one, of different names; the baseline first
     */
    public record Workload(String name, List<Variant> variants) {
        public Workload {
            variants = List.copyOf(variants);
        }
    }

    /** One of the alternatives: a whole run, which is also one block. */
    public record Variant(String name, RunSpec spec) {}

    /** The run that all else is a change of, for what is asked once. */
    public RunSpec first() {
        return workloads.get(0).variants().get(0).spec();
    }
}
