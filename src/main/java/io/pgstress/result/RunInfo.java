package io.pgstress.result;

import java.util.List;
import java.util.Map;

/**
 * What was requested and how it went.
 *
 * @param argv the command line, with secrets masked
 * @param scenario every option, given or default
 * @param phases as they really were
 * @param partial whether the run ended early (interrupted, ids used up, first error)
 */
public record RunInfo(
        String id,
        String startedAt,
        List<String> argv,
        long seed,
        Map<String, Object> scenario,
        List<PhaseLength> phases,
        boolean partial) {
    /** How long a phase lasted. */
    public record PhaseLength(String name, double seconds) {}

    /** The length of the measurement; 0 if there was none. */
    public double measuredSeconds() {
        return phases.stream()
                .filter(p -> p.name().equals("measure"))
                .mapToDouble(PhaseLength::seconds)
                .sum();
    }

    /** The same with the command line that led to it. */
    public RunInfo withArgv(List<String> commandLine) {
        return new RunInfo(id, startedAt, commandLine, seed, scenario, phases, partial);
    }

    /** The same with another start. */
    public RunInfo startedAt(String start) {
        return new RunInfo(id, start, argv, seed, scenario, phases, partial);
    }
}
