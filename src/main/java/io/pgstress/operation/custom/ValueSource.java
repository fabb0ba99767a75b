package io.pgstress.operation.custom;

import io.pgstress.dataset.KeyHandout;
import io.pgstress.dataset.KeySamplers;
import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.dataset.SplitMix;
import io.pgstress.dataset.Table;
import io.pgstress.operation.Operation.ClientSeat;
import io.pgstress.operation.OperationType;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.custom.CustomOperation.CustomParameter;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.option.Options;
import java.util.List;
import java.util.stream.IntStream;

/** The source of all clients' values of one parameter. Thread-safe. */
@FunctionalInterface
interface ValueSource {
    /** The values for one client. */
    ParameterValue forClient(Draws draws);

    /** Whether its values can run out. */
    default boolean mayEnd() {
        return false;
    }

    /** Makes all values available again; called while all clients are paused. */
    default void handOutAgain() {}

    /**
     * Creates the source of a parameter that is not a path; {@link PathSources} has the others.
     */
    static ValueSource of(CustomParameter parameter, OperationType.Context context) {
        Table table = context.table();
        if (parameter instanceof CustomParameter.Id id) {
            Keys keys = table.keys();
            KeyDistribution distribution = id.distribution().orElse(context.get(RunOptions.KEY_DISTRIBUTION));
            return draws -> new ParameterValue.OfKeys(keys, draws.sampler(distribution, keys.size()));
        }
        if (parameter instanceof CustomParameter.OnceId) {
            return new OfOnce(table.keys(), new KeyHandout(table.keys().size(), context.seed(), context.share()));
        }
        if (parameter instanceof CustomParameter.Range range) {
            long size = range.to() - range.from() + 1;
            return draws ->
                    new ParameterValue.OfRange(range.from(), range.to(), draws.sampler(range.distribution(), size));
        }
        if (parameter instanceof CustomParameter.Sequence sequence) {
            return of(sequence, context.options());
        }
        CustomParameter.Choice choice = (CustomParameter.Choice) parameter;
        String[] texts = choice.values().toArray(String[]::new);
        return draws -> new ParameterValue.OfTexts(texts, draws.sampler(choice.distribution(), texts.length));
    }

    /** Sequences with the same start share one range of numbers: each gets a part of it, as each client does. */
    private static ValueSource of(CustomParameter.Sequence sequence, Options options) {
        List<CustomParameter> one = CustomOperations.ofMix(options).stream()
                .flatMap(o -> o.parameters().values().stream())
                .filter(p -> p instanceof CustomParameter.Sequence s && s.start() == sequence.start())
                .toList();
        int shares = one.size();
        int share = IntStream.range(0, shares)
                .filter(i -> one.get(i) == sequence)
                .findFirst()
                .orElseThrow();
        return draws -> new ParameterValue.OfSequence(
                sequence.start() + (long) draws.client() * shares + share, (long) draws.clients() * shares);
    }

    /** Ids that are handed out once, until all are made available again. */
    record OfOnce(Keys keys, KeyHandout handout) implements ValueSource {
        @Override
        public ParameterValue forClient(Draws draws) {
            return new ParameterValue.OfOnce(keys, handout.share());
        }

        @Override
        public boolean mayEnd() {
            return true;
        }

        @Override
        public void handOutAgain() {
            handout.reset();
        }
    }

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
}
