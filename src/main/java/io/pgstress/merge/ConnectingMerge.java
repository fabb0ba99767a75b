package io.pgstress.merge;

import io.pgstress.result.Connecting;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationMerge;
import io.pgstress.result.RunResult;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The time for connecting on several hosts that connected at the same time. */
final class ConnectingMerge {
    private ConnectingMerge() {}

    /** Null if it is unknown for one of the hosts. */
    static @Nullable Connecting of(List<RunResult> hosts) {
        List<Connecting> known = hosts.stream()
                .map(RunResult::connecting)
                .filter(Objects::nonNull)
                .toList();
        if (known.size() < hosts.size()) {
            return null;
        }
        double measured =
                hosts.stream().mapToDouble(h -> h.window().measured()).max().orElse(0);
        long ok = hosts.stream().mapToLong(h -> h.window().ok()).sum();
        Connecting.Window window = new Connecting.Window(measured, ok);
        if (!known.get(0).opensPerTransaction()) {
            return Connecting.perClient(
                    known.stream()
                            .map(Connecting::seconds)
                            .filter(Objects::nonNull)
                            .mapToDouble(Double::doubleValue)
                            .max()
                            .orElse(0),
                    window);
        }
        Latency times = OperationMerge.of(hosts.stream()
                        .flatMap(h -> h.operations().values().stream())
                        .toList())
                .latencyMicros()
                .get("acquire");
        boolean isClosed = !hosts.get(0).run().workload().hasRate();
        return Connecting.perTransaction(
                times == null ? null : times.mean(),
                isClosed ? hosts.stream().mapToInt(RunResult::clients).sum() : 0,
                window);
    }
}
