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

    /** Numbers in a range, whose type the server infers. */
    final class OfRange implements ParameterValue {
        private final long from;
        private final long to;
        private final KeySampler sampler;
        private long number;

        OfRange(long from, long to, KeySampler sampler) {
            this.from = from;
            this.to = to;
            this.sampler = sampler;
        }

        @Override
        public boolean draw() {
            number = from + sampler.next();
            return true;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            statement.setUntyped(parameter, Long.toString(number));
        }

        @Override
        public List<String> untyped() {
            return List.of(Long.toString(from), Long.toString(to));
        }
    }

    /** Unique numbers: no other client draws them. */
    final class OfSequence implements ParameterValue {
        private final long stride;
        private long number;

        OfSequence(long first, long stride) {
            this.number = first - stride;
            this.stride = stride;
        }

        @Override
        public boolean draw() {
            number += stride;
            return true;
        }

        @Override
        public void bind(SqlStatement statement, int parameter) throws SQLException {
            statement.setUntyped(parameter, Long.toString(number));
        }

        @Override
        public List<String> untyped() {
            return List.of(Long.toString(number));
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
