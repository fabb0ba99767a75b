package io.pgstress.operation.custom;

import io.pgstress.dataset.KeySampler;
import io.pgstress.dataset.KeySamplers;
import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.Operation.ClientSeat;
import io.pgstress.plan.KeyDistribution;

/**
 * Where one client draws the values of one parameter: every operation, client and parameter draws differently.
 *
 * @param operation its position in the mix
 * @param client the client's number, less than {@code clients}
 * @param seed the run's seed
 * @param parameter its position in the operation
 */
record Draws(int operation, int client, int clients, long seed, int parameter) {
    private static final long APART = 7_919;

    static Draws of(ClientSeat seat, int parameter) {
        return new Draws(seat.number(), seat.client(), seat.clients(), seat.seed(), parameter);
    }

    /** The draws of another parameter of the operation: both choose the same items at the same time. */
    Draws like(int other) {
        return new Draws(operation, client, clients, seed, other);
    }

    /** Draws from {@code size} items; all clients favor the same ones. */
    KeySampler sampler(KeyDistribution distribution, long size) {
        return KeySamplers.of(distribution, size, random(), own(), client, clients);
    }

    /** Random numbers of this client, operation and parameter. */
    SplitMix random() {
        return new SplitMix(own(), (long) operation << Integer.SIZE | client);
    }

    private long own() {
        return seed + APART * (parameter + 1);
    }
}
