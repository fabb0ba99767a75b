package io.pgstress.operation.custom;

import io.pgstress.dataset.KeySampler;
import io.pgstress.dataset.KeySamplers;
import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.Operation.ClientSeat;
import io.pgstress.plan.KeyDistribution;

/**
 * Where one client's values of one parameter are drawn: no two operations of a mix, clients or parameters draw the same.
 *
 * @param operation its number in the mix
 * @param client the client's number, of {@code clients}
 * @param seed the run's
 * @param parameter its number in the operation
 */
record Draws(int operation, int client, int clients, long seed, int parameter) {
    private static final long APART = 7_919;

    static Draws of(ClientSeat seat, int parameter) {
        return new Draws(seat.number(), seat.client(), seat.clients(), seat.seed(), parameter);
    }

    /** Draws from so many things; what is drawn most is the same for all clients. */
    KeySampler sampler(KeyDistribution distribution, int size) {
        long own = seed + APART * (parameter + 1);
        SplitMix random = new SplitMix(own, (long) operation << Integer.SIZE | client);
        return KeySamplers.of(distribution, size, random, own, client, clients);
    }
}
