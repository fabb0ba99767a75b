package io.pgstress.operation.user;

import io.pgstress.dataset.KeySampler;
import io.pgstress.dataset.KeySamplers;
import io.pgstress.dataset.Keys;
import io.pgstress.dataset.SplitMix;
import io.pgstress.dataset.Table;
import io.pgstress.operation.Operation.ClientSeat;
import io.pgstress.plan.InvalidPlanException;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.OperationOptions;
import io.pgstress.plan.user.UserParameter;
import java.sql.Connection;
import java.sql.SQLException;

/** Where all clients' values of one parameter come from. Thread-safe. */
@FunctionalInterface
interface ValueSource {
    /**
     * A client's values.
     *
     * @param stream keeps the parameters of an operation apart: no two of them draw the same
     */
    Value forClient(int client, int clients, long seed, long stream);

    /** The same for a seat in a run. */
    default Value forClient(ClientSeat seat, int number) {
        return forClient(seat.client(), seat.clients(), seat.seed(), 7_919L * (number + 1));
    }

    /**
     * The source of a parameter; a path's values are read here.
     *
     * @throws InvalidPlanException where there is nothing to draw from
     */
    static ValueSource of(
            UserParameter parameter, Table table, OperationOptions options, long sampleSeed, Connection control)
            throws SQLException {
        if (parameter instanceof UserParameter.Id id) {
            Keys keys = table.keys();
            return (client, clients, seed, stream) ->
                    new Value.OfKeys(keys, sampler(id.distribution(), keys.size(), client, clients, seed + stream));
        }
        if (parameter instanceof UserParameter.Range range) {
            int size = (int) (range.to() - range.from() + 1);
            return (client, clients, seed, stream) -> new Value.OfRange(
                    range.from(), range.to(), sampler(range.distribution(), size, client, clients, seed + stream));
        }
        if (parameter instanceof UserParameter.Sequence sequence) {
            return (client, clients, seed, stream) -> new Value.OfSequence(
                    sequence.start() + options.idSlice().first(client),
                    options.idSlice().stride(clients));
        }
        if (parameter instanceof UserParameter.Choice choice) {
            return texts(choice.values().toArray(String[]::new), choice.distribution());
        }
        UserParameter.Path path = (UserParameter.Path) parameter;
        return texts(new PathSample(path, table, sampleSeed).read(control), path.distribution());
    }

    private static ValueSource texts(String[] texts, KeyDistribution distribution) {
        return (client, clients, seed, stream) ->
                new Value.OfTexts(texts, sampler(distribution, texts.length, client, clients, seed + stream));
    }

    private static KeySampler sampler(KeyDistribution distribution, int size, int client, int clients, long seed) {
        return KeySamplers.of(distribution, size, new SplitMix(seed, client), seed, client, clients);
    }
}
