package io.pgstress.result;

import io.pgstress.machine.RunMachines;
import io.pgstress.text.Inline;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the servers and the machines reported about the run.
 *
 * @param bottleneck which machine was the limit, or that none was: causes of what was full, and notes; empty if unknown
 * @param operationWaits what sessions did during slow and ordinary operations; null if they were not sampled
 * @param explained where the statements should go according to their plans, and where they went
 * @param notes what could not be read, and why
 */
public record ServerProfile(
        @Inline ServerCounts counts,
        @Inline RunMachines machines,
        List<Remark> bottleneck,
        @Nullable OperationWaits operationWaits,
        Explained explained,
        List<Remark> notes) {
    /** An empty profile. */
    public static final ServerProfile NONE = new ServerProfile(
            new ServerCounts.Collector().counts(), RunMachines.NONE, List.of(), null, Explained.NONE, List.of());

    public ServerProfile {
        bottleneck = Objects.requireNonNullElse(bottleneck, List.of());
    }
}
