package io.pgstress.operation.custom;

import io.pgstress.dataset.KeyHandout;
import io.pgstress.dataset.KeySamplers;
import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.dataset.SplitMix;
import io.pgstress.dataset.Table;
import io.pgstress.operation.Operation.ClientSeat;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.custom.ParameterValue.TableChoice;
import io.pgstress.operation.custom.SequenceNumbers.Shuffle;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.custom.CustomOperation.CustomParameter;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.option.InvalidPlanException;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/** The source of all clients' values of one parameter. Thread-safe. */
@FunctionalInterface
interface ValueSource {
    ParameterValue forClient(Draws draws);

    /** Whether its values can run out. */
    default boolean mayEnd() {
        return false;
    }

    /** Makes all values available again; called while all clients are paused. */
    default void handOutAgain() {}

    /** Takes the operation's values, which the server has computed again; called while no client draws. */
    default void begin(Map<String, Long> values) {}

    /**
     * Creates the source of a parameter that is not a path; {@link PathSources} has the others.
     *
     * @param values the operation's values
     * @param tables number of tables, one of which is drawn for each operation
     * @throws InvalidPlanException if a range is empty
     */
    static ValueSource of(
            CustomParameter parameter, OperationType.Context context, Map<String, Long> values, int tables) {
        Table table = context.table();
        if (parameter instanceof CustomParameter.Id id) {
            Keys keys = table.keys();
            KeyDistribution distribution = id.distribution().orElse(context.get(RunOptions.KEY_DISTRIBUTION));
            return draws -> new ParameterValue.OfKeys(keys, draws.sampler(distribution, keys.size())::next);
        }
        if (parameter instanceof CustomParameter.OnceId) {
            return new Once(
                    new KeyHandout(table.keys().size(), context.seed(), context.share()),
                    (share, draws) -> new ParameterValue.OfKeys(table.keys(), share::next));
        }
        if (parameter instanceof CustomParameter.Range range) {
            return of(range, context, values, tables);
        }
        if (parameter instanceof CustomParameter.Sequence sequence) {
            return new OfSequence(sequence, context, values);
        }
        if (parameter instanceof CustomParameter.Digits digits) {
            return draws -> {
                DigitText text = new DigitText(draws.random(), digits.pattern());
                return new ParameterValue.OfTexts(text::next, () -> List.of(text.next()));
            };
        }
        CustomParameter.Choice choice = (CustomParameter.Choice) parameter;
        String[] texts = choice.values().toArray(String[]::new);
        return draws -> ParameterValue.OfTexts.of(texts, draws.sampler(choice.distribution(), texts.length));
    }

    private static ValueSource of(
            CustomParameter.Range range, OperationType.Context context, Map<String, Long> values, int tables) {
        long from = range.from().in(values);
        long to = range.to().in(values);
        long size = to - from + 1;
        if (size < 1) {
            throw new InvalidPlanException(range.source().message("the range " + from + ".." + to + " is empty"));
        }
        if (range.once()) {
            Shuffle shuffle = new Shuffle(size * tables, context.seed()); // the order of the handout is a regular one
            return new Once(
                    new KeyHandout(size * tables, context.seed(), context.share()),
                    (share, draws) -> new ParameterValue.OfNumbers(
                            () -> {
                                long next = share.next();
                                if (next < 0) {
                                    return SequenceNumbers.NONE;
                                }
                                long place = shuffle.at(next);
                                draws.tables().choose((int) (place / size));
                                return from + place % size;
                            },
                            from,
                            to));
        }
        KeyDistribution distribution = range.distribution().orElseGet(() -> context.get(RunOptions.KEY_DISTRIBUTION));
        return draws -> {
            KeySampler sampler = draws.sampler(distribution, size);
            return new ParameterValue.OfNumbers(() -> from + sampler.next(), from, to);
        };
    }

    /** Unique numbers. Sequences with the same start share one range: each gets a part of it, as each client does. */
    final class OfSequence implements ValueSource {
        private final CustomParameter.Sequence sequence;
        private final long seed;
        private final int shares;
        private final int share;
        private volatile SequenceNumbers numbers;

        OfSequence(CustomParameter.Sequence sequence, OperationType.Context context, Map<String, Long> values) {
            List<CustomParameter> one = CustomOperations.ofMix(context.options()).stream()
                    .flatMap(o -> o.parameters().values().stream())
                    .filter(p ->
                            p instanceof CustomParameter.Sequence s && s.start().equals(sequence.start()))
                    .toList();
            this.sequence = sequence;
            this.seed = context.seed();
            this.shares = Math.max(1, one.size());
            this.share = Math.max(0, one.indexOf(sequence));
            this.numbers = numbers(values);
        }

        private SequenceNumbers numbers(Map<String, Long> values) {
            long start = sequence.start().in(values);
            long to = sequence.to().in(values);
            return sequence.random()
                    ? SequenceNumbers.random(start, to, seed, sequence.source())
                    : new SequenceNumbers(start, to, null);
        }

        @Override
        public ParameterValue forClient(Draws draws) {
            return new ParameterValue.OfNumbers(
                    new LongSupplier() {
                        private long place = (long) draws.client() * shares + share;

                        @Override
                        public long getAsLong() {
                            long number = numbers.at(place);
                            place += (long) draws.clients() * shares;
                            return number;
                        }
                    },
                    numbers.start());
        }

        @Override
        public void begin(Map<String, Long> values) {
            numbers = numbers(values);
        }
    }

    /** Values that are handed out once, until all are made available again. */
    record Once(KeyHandout handout, BiFunction<KeyHandout.Share, Draws, ParameterValue> values) implements ValueSource {
        @Override
        public ParameterValue forClient(Draws draws) {
            return values.apply(handout.share(), draws);
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
     * @param tables what chooses the client's table
     */
    record Draws(int operation, int client, int clients, long seed, int parameter, TableChoice tables) {
        private static final long APART = 7_919;

        static Draws of(ClientSeat seat, int parameter, TableChoice tables) {
            return new Draws(seat.number(), seat.client(), seat.clients(), seat.seed(), parameter, tables);
        }

        /** The draws of another parameter of the operation: both choose the same items at the same time. */
        Draws like(int other) {
            return new Draws(operation, client, clients, seed, other, tables);
        }

        /** Draws from {@code size} items; all clients and all parameters favor the same ones. */
        KeySampler sampler(KeyDistribution distribution, long size) {
            return KeySamplers.of(distribution, size, random(), seed, client, clients);
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
