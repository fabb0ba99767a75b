package io.pgstress.operation.custom;

import io.pgstress.dataset.KeyHandout;
import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.dataset.Keys;
import io.pgstress.dataset.SplitMix;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.text.Quoting;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
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
        private final KeySampler sampler;
        private long place;

        OfKeys(Keys keys, KeySampler sampler) {
            this.keys = keys;
            this.sampler = sampler;
        }

        @Override
        public boolean draw() {
            place = sampler.next();
            return true;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            keys.bind(statement, parameter, place);
        }
    }

    /** Ids of the table, each handed out once across all clients. */
    final class OfOnce implements ParameterValue {
        private final Keys keys;
        private final KeyHandout.Share share;
        private long place;

        OfOnce(Keys keys, KeyHandout.Share share) {
            this.keys = keys;
            this.share = share;
        }

        @Override
        public boolean draw() {
            place = share.next();
            return place >= 0;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            keys.bind(statement, parameter, place);
        }
    }

    /** One of several texts, whose type the server infers. */
    final class OfTexts implements ParameterValue {
        private final String[] texts;
        private final KeySampler sampler;
        private int place;

        OfTexts(String[] texts, KeySampler sampler) {
            this.texts = texts;
            this.sampler = sampler;
        }

        @Override
        public boolean draw() {
            place = (int) sampler.next();
            return true;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            statement.setUntyped(parameter, texts[place]);
        }

        @Override
        public List<String> untyped() {
            return List.of(texts);
        }
    }

    /** A drawn number, sent as an integer of the type that the server infers. */
    abstract class OfNumbers implements ParameterValue {
        private long number;

        @Override
        public final boolean draw() {
            long next = next();
            number = next;
            return next != SequenceNumbers.NONE;
        }

        /** The next number; {@link SequenceNumbers#NONE} if none is left. */
        abstract long next();

        @Override
        public final void bind(SqlStatement statement, int parameter) throws SQLException {
            statement.setUntyped(parameter, Long.toString(number));
        }

        /** Binds it as an {@code integer} if it fits. */
        final void bindInteger(SqlStatement statement, int parameter) throws SQLException {
            if ((int) number == number) {
                statement.setInt(parameter, (int) number);
            } else {
                statement.setLong(parameter, number);
            }
        }

        /** Binds it as a {@code bigint}. */
        final void bindBigint(SqlStatement statement, int parameter) throws SQLException {
            statement.setLong(parameter, number);
        }

        @Override
        public List<String> untyped() {
            return List.of(Long.toString(number));
        }
    }

    /** Numbers in a range. */
    final class OfRange extends OfNumbers {
        private final long from;
        private final long to;
        private final KeySampler sampler;

        OfRange(long from, long to, KeySampler sampler) {
            this.from = from;
            this.to = to;
            this.sampler = sampler;
        }

        @Override
        long next() {
            return from + sampler.next();
        }

        @Override
        public List<String> untyped() {
            return List.of(Long.toString(from), Long.toString(to));
        }
    }

    /** Numbers in a range, each handed out once for each table; chooses the operation's table as well. */
    final class OfOnceRange extends OfNumbers {
        private final long from;
        private final long size;
        private final KeyHandout.Share share;
        private final TableChoice tables;

        /** @param size number of numbers */
        OfOnceRange(long from, long size, KeyHandout.Share share, TableChoice tables) {
            this.from = from;
            this.size = size;
            this.share = share;
            this.tables = tables;
        }

        @Override
        long next() {
            long place = share.next();
            if (place < 0) {
                return SequenceNumbers.NONE;
            }
            tables.choose((int) (place / size));
            return from + place % size;
        }
    }

    /** Unique numbers: no other client draws them. */
    final class OfSequence extends OfNumbers {
        private final Supplier<SequenceNumbers> numbers;
        private final long stride;
        private long place;

        /** @param first the place of the first number; the following ones are {@code stride} apart */
        OfSequence(Supplier<SequenceNumbers> numbers, long first, long stride) {
            this.numbers = numbers;
            this.stride = stride;
            this.place = first;
        }

        @Override
        long next() {
            long number = numbers.get().at(place);
            place += stride;
            return number;
        }
    }

    /** Texts with random digits. */
    final class OfDigits implements ParameterValue {
        private final DigitText text;
        private String drawn = "";

        OfDigits(DigitText text) {
            this.text = text;
        }

        @Override
        public boolean draw() {
            drawn = text.next();
            return true;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            statement.setUntyped(parameter, drawn);
        }

        @Override
        public List<String> untyped() {
            return List.of(drawn);
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

    /** Arrays of texts as the server writes them: one drawn like a single value, the others at random. Not thread-safe. */
    final class ArrayValue implements ParameterValue {
        private final String[] quoted;
        private final int count;
        private final KeySampler sampler;
        private final SplitMix random;
        private final StringBuilder array = new StringBuilder();

        ArrayValue(String[] texts, int count, KeySampler sampler, SplitMix random) {
            this.quoted = Arrays.stream(texts).map(Quoting::element).toArray(String[]::new);
            this.count = count;
            this.sampler = sampler;
            this.random = random;
        }

        @Override
        public boolean draw() {
            array.setLength(0);
            array.append('{').append(quoted[(int) sampler.next()]);
            for (int i = 1; i < count; i++) {
                array.append(',').append(quoted[random.below(quoted.length)]);
            }
            array.append('}');
            return true;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            statement.setUntyped(parameter, array.toString());
        }

        @Override
        public List<String> untyped() {
            return Arrays.stream(quoted).map(text -> '{' + text + '}').toList();
        }
    }
}
