package io.pgstress.result;

import io.pgstress.measure.Phase;
import io.pgstress.text.Records;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What was requested, and how the run went.
 *
 * @param argv the command line, with secrets masked
 * @param scenario all options, given or default, as text; for people, and to repeat the run
 * @param workload what ran, as typed values
 * @param phases the actual phases
 * @param partial whether the run ended early (interrupted, ids used up, first error)
 * @param toleratedLost the number of lost hosts that leaves the run valid; null for a run on one host
 * @param insecure whether the hosts' messages were neither encrypted nor authenticated; null for a run on one host
 */
public record RunInfo(
        String id,
        String startedAt,
        List<String> argv,
        long seed,
        Map<String, Object> scenario,
        Workload workload,
        List<PhaseLength> phases,
        boolean partial,
        @Nullable Integer toleratedLost,
        @Nullable Boolean insecure) {
    public RunInfo {
        Objects.requireNonNull(workload, "workload");
    }

    public record PhaseLength(String name, double seconds) {}

    /** The length of the measurement; 0 if there was none. */
    public double measuredSeconds() {
        return seconds(Phase.MEASURE);
    }

    /** The length of a phase; 0 if there was none. */
    public double seconds(Phase phase) {
        return phases.stream()
                .filter(p -> p.name().equals(phase.label()))
                .mapToDouble(PhaseLength::seconds)
                .sum();
    }

    /** The value of an option as text, several joined by commas; an empty string if there is none. */
    public String optionText(String option) {
        Object value = scenario.get(option);
        return value instanceof List<?> list
                ? list.stream().map(Objects::toString).collect(Collectors.joining(","))
                : Objects.toString(value, "");
    }

    /**
     * The facts about a whole search. This is its last run.
     *
     * @param first the first run
     * @param varied the option that differs between the runs
     * @param searched what all runs did
     * @param isPartial whether the search ended early
     */
    public RunInfo ofSearch(
            RunInfo first, List<String> searchArgv, String varied, Workload searched, boolean isPartial) {
        Map<String, Object> common = new LinkedHashMap<>(scenario);
        common.remove(varied);
        return new RunInfo(
                id, first.startedAt, searchArgv, seed, common, searched, List.of(), isPartial, null, insecure);
    }

    /** A copy with another start time. */
    public RunInfo startedAt(String start) {
        return Records.with(this, "startedAt", start);
    }
}
