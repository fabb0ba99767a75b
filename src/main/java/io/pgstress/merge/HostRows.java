package io.pgstress.merge;

import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rows of the hosts of a merged result. A result that already has hosts keeps them, unless two hosts would then have the
 * same name; any other result is one host, named by its position.
 */
final class HostRows {
    private final List<RunResult> results;
    private final boolean areKept;

    HostRows(List<RunResult> results) {
        this.results = results;
        Set<String> names = new HashSet<>();
        this.areKept = rows(true).stream().allMatch(row -> names.add(row.name()));
    }

    List<HostResult> rows() {
        return rows(areKept);
    }

    private List<HostResult> rows(boolean areOwnKept) {
        List<HostResult> rows = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            RunResult result = results.get(i);
            if (areOwnKept && !result.hosts().isEmpty()) {
                rows.addAll(result.hosts());
            } else {
                rows.add(HostResult.of(name(i), result));
            }
        }
        return rows;
    }

    /** Each result's intervals, with the hosts' shares. */
    List<List<IntervalResult>> intervals() {
        List<List<IntervalResult>> intervals = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            RunResult result = results.get(i);
            String name = name(i);
            intervals.add(
                    areKept && !result.hosts().isEmpty()
                            ? result.intervals()
                            : result.intervals().stream()
                                    .map(interval -> interval.ofHost(name))
                                    .toList());
        }
        return intervals;
    }

    static String name(int position) {
        return "host " + (position + 1);
    }
}
