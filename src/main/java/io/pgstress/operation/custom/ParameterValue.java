package io.pgstress.operation.custom;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.dataset.SplitMix;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.text.Quoting;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The values of a parameter for one client. Not thread-safe. */
interface ParameterValue {
    /** Draws the next value; false if none is left. */
    boolean draw();

    /** Binds the drawn value to a parameter; may be called repeatedly. */
    void bind(SqlStatement statement, int parameter) throws SQLException;

    /** The values sent as text that may not fit the type the server infers; empty if unknown. */
    default List<String> untyped() {
        return List.of();
    }

    /** Ids of the table, as the key's own type. */
    final class OfKeys implements ParameterValue {
        private final Keys keys;
        private final LongSupplier places;
        private long place;

        /** @param places draws the index of an id; below 0: none is left */
        OfKeys(Keys keys, LongSupplier places) {
            this.keys = keys;
            this.places = places;
        }

        @Override
        public boolean draw() {
            place = places.getAsLong();
            return place >= 0;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            keys.bind(statement, parameter, place);
        }
    }

    /** Texts, whose type the server infers. */
    final class OfTexts implements ParameterValue {
        private final Supplier<String> texts;
        private final Supplier<List<String>> untyped;
        private String drawn = "";

        /**
         * @param texts draws a text
         * @param untyped all texts, or those that show whether they fit a type
         */
        OfTexts(Supplier<String> texts, Supplier<List<String>> untyped) {
            this.texts = texts;
            this.untyped = untyped;
        }

        static OfTexts of(String[] texts, KeySampler sampler) {
            return new OfTexts(() -> texts[(int) sampler.next()], () -> Arrays.asList(texts));
        }

        /** Arrays as the server writes them: the first text is drawn like a single one, the others at random. */
        static OfTexts arrays(String[] texts, int count, KeySampler sampler, SplitMix random) {
            String[] quoted = Arrays.stream(texts).map(Quoting::element).toArray(String[]::new);
            StringBuilder array = new StringBuilder();
            return new OfTexts(
                    () -> {
                        array.setLength(0);
                        array.append('{').append(quoted[(int) sampler.next()]);
                        for (int i = 1; i < count; i++) {
                            array.append(',').append(quoted[random.below(quoted.length)]);
                        }
                        return array.append('}').toString();
                    },
                    () -> Arrays.stream(quoted).map(text -> '{' + text + '}').toList());
        }

        @Override
        public boolean draw() {
            drawn = texts.get();
            return true;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            statement.setUntyped(parameter, drawn);
        }

        @Override
        public List<String> untyped() {
            return untyped.get();
        }
    }

    /** Numbers, sent as integers of the type that the server infers. */
    final class OfNumbers implements ParameterValue {
        private final LongSupplier numbers;
        private final List<String> ends;
        private long number;

        /**
         * @param numbers draws a number; {@link SequenceNumbers#NONE}: none is left
         * @param ends the first and the last number
         */
        OfNumbers(LongSupplier numbers, long... ends) {
            this.numbers = numbers;
            this.ends = LongStream.of(ends).mapToObj(Long::toString).toList();
        }

        @Override
        public boolean draw() {
            long next = numbers.getAsLong();
            number = next;
            return next != SequenceNumbers.NONE;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            statement.setUntyped(parameter, Long.toString(number));
        }

        /** Binds it as an {@code integer} if it fits. */
        void bindInteger(SqlStatement statement, int parameter) throws SQLException {
            if ((int) number == number) {
                statement.setInt(parameter, (int) number);
            } else {
                statement.setLong(parameter, number);
            }
        }

        /** Binds it as a {@code bigint}. */
        void bindBigint(SqlStatement statement, int parameter) throws SQLException {
            statement.setLong(parameter, number);
        }

        @Override
        public List<String> untyped() {
            return ends;
        }
    }

    /** The table that a client's next operation uses. Not thread-safe. */
    final class TableChoice {
        private int table;

        /** @param next from 0 */
        void choose(int next) {
            table = next;
        }

        /** The number of the table, from 0. */
        int table() {
            return table;
        }
    }

    /** A value kept from a step's result. */
    final class Kept implements ParameterValue {
        private @Nullable String text;
        private boolean there;

        @Override
        public boolean draw() {
            there = false;
            return true;
        }

        void keep(@Nullable String value) {
            text = value;
            there = true;
        }

        /** Whether the step returned a row. */
        boolean isThere() {
            return there;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            statement.setUntyped(parameter, there ? text : null);
        }
    }
}
