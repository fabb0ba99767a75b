package io.pgstress.extra.history;

import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects results, and sorts runs by what they tested. Keeps little of each result. Not thread-safe. */
public final class Trends {
    private final Map<String, List<KeptRun>> valid = new TreeMap<>();
    private final Map<String, Integer> notValid = new LinkedHashMap<>();
    private int others;

    public void add(Result result) {
        if (!(result instanceof RunResult run)) {
            others++;
            return;
        }
        KeptRun kept = KeptRun.of(run);
        List<KeptRun> runs = valid.computeIfAbsent(kept.test(), test -> new ArrayList<>());
        if (run.valid()) {
            runs.add(kept);
        } else {
            notValid.merge(kept.test(), 1, Integer::sum);
        }
    }

    /** Number of results that are not runs. */
    public int others() {
        return others;
    }

    /** One trend per test. */
    public List<Trend> find() {
        List<Trend> trends = new ArrayList<>();
        valid.forEach((test, runs) -> {
            runs.sort(Comparator.comparing(KeptRun::startedAt));
            trends.add(Trend.of(test, runs, notValid.getOrDefault(test, 0)));
        });
        return trends;
    }
}
