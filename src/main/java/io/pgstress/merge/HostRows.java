package io.pgstress.merge;

import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile.HostProfile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

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

    /** The machines of all load generators, named as their hosts, followed by the other machines, each once. */
    List<HostProfile> machines() {
        List<HostProfile> clients = new ArrayList<>();
        Map<String, HostProfile> others = new LinkedHashMap<>();
        for (int i = 0; i < results.size(); i++) {
            List<HostProfile> machines = results.get(i).serverProfile().machines();
            List<HostProfile> own = machines.stream().filter(HostRows::isClient).toList();
            boolean areNamed = areKept && !results.get(i).hosts().isEmpty();
            for (HostProfile client : own) {
                String of = own.size() == 1 ? name(i) : name(i) + ": " + client.node();
                clients.add(areNamed ? client : client.named(of));
            }
            machines.stream().filter(m -> !isClient(m)).forEach(m -> others.putIfAbsent(m.node(), m));
        }
        return Stream.concat(clients.stream(), others.values().stream()).toList();
    }

    private static boolean isClient(HostProfile machine) {
        return machine.role().equals(HostProfile.CLIENT);
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
