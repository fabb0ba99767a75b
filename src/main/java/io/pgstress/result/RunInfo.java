package io.pgstress.result;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was requested and how it went.
 *
 * @param argv the command line, with secrets masked
 * @param scenario every option, given or default, as text; for people, and to run the same again
 * @param workload what ran, as typed values; made from {@code scenario} in results of older versions, which do not have it
 * @param phases as they really were
 * @param partial whether the run ended early (interrupted, ids used up, first error)
 */
public record RunInfo(
        String id,
        String startedAt,
        List<String> argv,
        long seed,
        Map<String, Object> scenario,
        Workload workload,
        List<PhaseLength> phases,
        boolean partial) {
    public RunInfo(
            String id,
            String startedAt,
            List<String> argv,
            long seed,
            Map<String, Object> scenario,
            @Nullable Workload workload,
            List<PhaseLength> phases,
            boolean partial) {
        this.id = id;
        this.startedAt = startedAt;
        this.argv = argv;
        this.seed = seed;
        this.scenario = scenario;
        this.workload = Objects.requireNonNullElseGet(workload, () -> OldScenario.workload(scenario));
        this.phases = phases;
        this.partial = partial;
    }

    /** How long a phase lasted. */
    public record PhaseLength(String name, double seconds) {}

    /** The length of the measurement; 0 if there was none. */
    public double measuredSeconds() {
        return phases.stream()
                .filter(p -> p.name().equals("measure"))
                .mapToDouble(PhaseLength::seconds)
                .sum();
    }

    /** An option's value for people; several are joined by commas; an empty string if there is none. */
    public String optionText(String option) {
        return OldScenario.text(scenario, option);
    }

    /** The same with the command line that led to it. */
    public RunInfo withArgv(List<String> commandLine) {
        return new RunInfo(id, startedAt, commandLine, seed, scenario, workload, phases, partial);
    }

    /** The same with another start. */
    public RunInfo startedAt(String start) {
        return new RunInfo(id, start, argv, seed, scenario, workload, phases, partial);
    }
}
