package io.pgstress.operation.custom;

import io.pgstress.dataset.KeyHandout;
import io.pgstress.dataset.Keys;
import io.pgstress.dataset.Table;
import io.pgstress.operation.OperationType;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.custom.CustomParameter;
import io.pgstress.plan.option.Options;
import java.util.List;
import java.util.stream.IntStream;

/** The source of all clients' values of one parameter. Thread-safe. */
@FunctionalInterface
interface ValueSource {
    /** The values for one client. */
    Value forClient(Draws draws);

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
            return draws -> new Value.OfKeys(keys, draws.sampler(distribution, keys.size()));
        }
        if (parameter instanceof CustomParameter.OnceId) {
            return new OfOnce(table.keys(), new KeyHandout(table.keys().size(), context.seed(), context.share()));
        }
        if (parameter instanceof CustomParameter.Range range) {
            long size = range.to() - range.from() + 1;
            return draws -> new Value.OfRange(range.from(), range.to(), draws.sampler(range.distribution(), size));
        }
        if (parameter instanceof CustomParameter.Sequence sequence) {
            return of(sequence, context.options());
        }
        CustomParameter.Choice choice = (CustomParameter.Choice) parameter;
        String[] texts = choice.values().toArray(String[]::new);
        return draws -> new Value.OfTexts(texts, draws.sampler(choice.distribution(), texts.length));
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
        return draws -> new Value.OfSequence(
                sequence.start() + (long) draws.client() * shares + share, (long) draws.clients() * shares);
    }

    /** Ids that are handed out once, until all are made available again. */
    record OfOnce(Keys keys, KeyHandout handout) implements ValueSource {
        @Override
        public Value forClient(Draws draws) {
            return new Value.OfOnce(keys, handout.share());
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
}
