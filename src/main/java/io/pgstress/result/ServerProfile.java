package io.pgstress.result;

import io.pgstress.machine.RunMachines;
import io.pgstress.text.Inline;
import java.util.List;

/**
 * What the servers and the machines reported about the run.
 *
 * @param explained where the statements should go according to their plans, and where they went
 * @param notes what could not be read, and why
 */
public record ServerProfile(
        @Inline ServerCounts counts, @Inline RunMachines machines, Explained explained, List<Remark> notes) {
    /** An empty profile. */
    public static final ServerProfile NONE =
            new ServerProfile(new ServerCounts.Collector().counts(), RunMachines.NONE, Explained.NONE, List.of());
}
