package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.ClientOperation;

/** Draws a client's next operation by weight. Not thread-safe. */
final class OperationMix {
    private final ClientOperation[] operations;
    private final int[] upTo;
    private final SplitMix random;

    /** @param weights one an operation, at least 1 each */
    OperationMix(ClientOperation[] operations, int[] weights, SplitMix random) {
        this.operations = operations;
        this.random = random;
        this.upTo = new int[weights.length];
        int sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum = Math.addExact(sum, weights[i]);
            upTo[i] = sum;
        }
    }

    /** The number of the next operation. */
    int next() {
        if (upTo.length == 1) {
            return 0;
        }
        int drawn = random.below(upTo[upTo.length - 1]);
        int i = 0;
        while (drawn >= upTo[i]) {
            i++;
        }
        return i;
    }

    ClientOperation operation(int number) {
        return operations[number];
    }
}
