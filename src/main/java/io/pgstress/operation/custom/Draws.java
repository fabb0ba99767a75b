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

    /** Draws from {@code size} items; all clients favor the same ones. */
    KeySampler sampler(KeyDistribution distribution, long size) {
        long own = seed + APART * (parameter + 1);
        SplitMix random = new SplitMix(own, (long) operation << Integer.SIZE | client);
        return KeySamplers.of(distribution, size, random, own, client, clients);
    }
}
