package io.pgstress.verdict;

import io.pgstress.report.Samples;
import io.pgstress.report.ScenarioWorkload;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fictitious results to judge. */
final class RunSample {
    private RunSample() {}

    /** A run of this scenario with one interval of a second per rate. */
    static RunResult run(Map<String, Object> scenario, double... rates) {
        List<IntervalResult> intervals = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            intervals.add(interval(Samples.closed().intervals().get(0), i, rates[i], null));
        }
        return changed(Samples.closed(), scenario).withIntervals(intervals);
    }

    /** A copy with another scenario. */
    static RunResult changed(RunResult result, Map<String, Object> scenario) {
        Map<String, Object> map = Json.readMap(Json.writeLine(result));
        @SuppressWarnings("unchecked")
        Map<String, Object> run = (Map<String, Object>) map.get("run");
        run.put("scenario", scenario);
        run.put("workload", ScenarioWorkload.of(scenario));
        return Json.read(Json.writeLine(map), RunResult.class);
    }

    /**
     * An interval of a second.
     *
     * @param state SQLSTATE of its errors, on the node {@code a}; null: none
     */
    static IntervalResult interval(IntervalResult like, int at, double rate, String state) {
        Map<String, Object> map = new LinkedHashMap<>(Json.readMap(Json.writeLine(like)));
        map.put("atSeconds", at);
        map.put("seconds", 1);
        map.put("phase", "measure");
        map.put("opsPerSecond", rate);
        map.put("ok", Math.round(rate));
        map.put("errors", state == null ? Map.of() : Map.of(state, 3));
        map.put("brokenSessions", state == null || !isOfConnections(state) ? Map.of() : Map.of("a", List.of(state)));
        return Json.read(Json.writeLine(map), IntervalResult.class);
    }

    private static boolean isOfConnections(String state) {
        return state.startsWith("08") || state.startsWith("57P0");
    }
}
