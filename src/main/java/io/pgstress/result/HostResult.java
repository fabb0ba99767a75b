package io.pgstress.result;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One load generator host's share of a run on several hosts. A lost host's figures end with its last report.
 *
 * @param name unique within the run
 * @param ok successful operations that ended within the measurement: {@code opsPerSecond} times its length
 * @param latencyMicros the run's headline latency, of all operations together; null if nothing succeeded
 * @param client the host's process and machine; null if the host was lost before it reported them
 * @param network what its own sockets carried during the measurement; null likewise
 * @param clockOffsetMicros its monotonic clock minus the command's; null if its clock was not compared
 * @param clockBoundMicros the largest possible error of {@code clockOffsetMicros}; null likewise
 * @param lostAtSeconds when it was lost, since the start of the measurement; null unless it was lost
 * @param valid whether its own part of the run is valid
 * @param reasons why it is not, by its own checks
 * @param warnings its own
 */
public record HostResult(
        String name,
        int clients,
        long ok,
        long failed,
        double opsPerSecond,
        @Nullable Latency latencyMicros,
        @Nullable ClientInfo client,
        @Nullable Network network,
        @Nullable Double clockOffsetMicros,
        @Nullable Double clockBoundMicros,
        @Nullable Double lostAtSeconds,
        boolean valid,
        List<Remark> reasons,
        List<Remark> warnings) {
    public HostResult {
        Objects.requireNonNull(name);
        reasons = List.copyOf(reasons);
        warnings = List.copyOf(warnings);
    }

    public boolean wasLost() {
        return lostAtSeconds != null;
    }
}
