package io.pgstress.plan;

import io.pgstress.plan.custom.CustomOperation;
import java.util.List;

/**
 * What the operations leave to the user.
 *
 * @param batch ids per {@code find_in}, at least 1
 * @param limitMin fewest rows of a {@code find}
 * @param limitMax most rows of a {@code find}
 * @param orderById whether {@code find} orders by {@code _id}
 * @param reset whether operations that change the data set are reset before the run
 * @param fetchSize rows per fetch; 0: all at once
 * @param transaction whether an operation's statements are one transaction
 * @param keyDistribution how often each id is drawn
 * @param keySample the most ids kept in memory to draw from
 * @param idSlice this host's share of the ids that operations make
 * @param workload of the workloads that have tables of their own
 * @param userOperations those of the files of {@code --operations} that are in the mix, in the files' order
 */
public record OperationOptions(
        int batch,
        int limitMin,
        int limitMax,
        boolean orderById,
        boolean reset,
        int fetchSize,
        boolean transaction,
        KeyDistribution keyDistribution,
        int keySample,
        IdSlice idSlice,
        WorkloadOptions workload,
        List<CustomOperation> userOperations) {
    public OperationOptions {
        userOperations = List.copyOf(userOperations);
    }
}
