package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.ClientOperation;

/** Draws a client's next operation by weight. Not thread-safe. */
public final class OperationMix {
    private final ClientOperation[] operations;
    private final WeightedDraw draw;

    /** @param weights one per operation, at least 1 each */
    public OperationMix(ClientOperation[] operations, int[] weights, SplitMix random) {
        this.operations = operations;
        this.draw = new WeightedDraw(weights, random);
    }

    /** The number of the next operation. */
    int next() {
        return draw.next();
    }

    ClientOperation operation(int number) {
        return operations[number];
    }
}
