package io.pgstress.bson.timeseries;

import io.pgstress.bson.BsonType;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Encodes columns for tests, with numbers of any size and selectors chosen at random among those that fit, so that other blocks
 * occur than MongoDB's encoder would choose. A null is a missing value.
 */
final class Encoder {
    private static final BigInteger TWO_128 = BigInteger.ONE.shiftLeft(128);

    /** Selector, extension (-1: none), width without and with the count of zeros, zeros per count. */
    private static final int[][] FORMS = forms();

    /** A part of a column: a literal, or a control byte and blocks; and how many values it has. */
    static final class Part {
        private final byte[] bytes;
        private final int values;

        Part(byte[] bytes, int values) {
            this.bytes = bytes;
            this.values = values;
        }

        byte[] bytes() {
            return bytes;
        }

        int values() {
            return values;
        }
    }

    private final Random random;

    Encoder(Random random) {
        this.random = random;
    }

    private static int[][] forms() {
        List<int[]> all = new ArrayList<>();
        int[] plain = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 60};
        for (int i = 0; i < plain.length; i++) {
            int selector = i + 1;
            all.add(new int[] {selector, selector == 7 || selector == 8 ? 0 : -1, plain[i], 0, 0});
        }
        int[] seven = {2, 3, 4, 5, 7, 10, 14, 24, 52};
        int[] eight = {4, 5, 7, 10, 14, 24, 52, 4, 6, 9, 13, 23, 51};
        for (int i = 0; i < seven.length; i++) {
            all.add(new int[] {7, i + 1, seven[i], 4, 1});
        }
        for (int i = 0; i < eight.length; i++) {
            all.add(new int[] {8, i + 1, eight[i], i < 7 ? 4 : 5, 4});
        }
        return all.toArray(int[][]::new);
    }

    /** A whole column. */
    byte[] column(List<Value> values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        parts(values, null).forEach(part -> out.writeBytes(part.bytes));
        out.write(0);
        return out.toByteArray();
    }

    /** The parts of a column after this value; null if nothing is before it. */
    List<Part> parts(List<Value> values, Value before) {
        List<Part> parts = new ArrayList<>();
        List<BigInteger> pending = new ArrayList<>();
        Differences differences = before == null ? null : Differences.after(before, random);
        BigInteger[] previous = {BigInteger.ZERO};
        for (Value value : values) {
            BigInteger number = null;
            boolean fits = value == null;
            if (value != null && differences != null) {
                number = differences.to(value);
                fits = number != null && fits(number);
            }
            if (fits) {
                pending.add(number);
                if (value != null) {
                    differences.accept(value);
                }
                continue;
            }
            flush(pending, differences, previous, parts);
            parts.add(new Part(value.literal(), 1));
            differences = Differences.after(value, random);
            previous[0] = BigInteger.ZERO;
        }
        flush(pending, differences, previous, parts);
        return parts;
    }

    private static boolean fits(BigInteger number) {
        for (int[] form : FORMS) {
            if (60 / (form[2] + form[3]) >= 1 && slot(number, form) != null) {
                return true;
            }
        }
        return false;
    }

    /** The bits of a number in this form; null if it does not fit. */
    private static BigInteger slot(BigInteger number, int[] form) {
        int width = form[2] + form[3];
        BigInteger ones = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
        if (number == null) {
            return ones;
        }
        BigInteger slot = number;
        if (form[3] > 0) {
            int zeros = number.signum() == 0 ? 0 : number.getLowestSetBit();
            int count = Math.min(zeros / form[4], (1 << form[3]) - 1);
            slot = number.shiftRight(count * form[4]).shiftLeft(form[3]).or(BigInteger.valueOf(count));
        }
        return (slot.bitLength() > width || slot.equals(ones)) ? null : slot;
    }

    private void flush(List<BigInteger> pending, Differences differences, BigInteger[] previous, List<Part> parts) {
        int control = differences == null ? 0x80 : differences.control();
        int at = 0;
        while (at < pending.size()) {
            ByteBuffer blocks = ByteBuffer.allocate(16 * 8).order(ByteOrder.LITTLE_ENDIAN);
            int first = at;
            int max = 1 + random.nextInt(16);
            while (at < pending.size() && blocks.position() < max * 8) {
                int run = 0;
                while (at + run < pending.size() && same(pending.get(at + run), previous[0])) {
                    run++;
                }
                if (run >= 120 && random.nextInt(4) > 0) {
                    int times = Math.min(16, run / 120);
                    blocks.putLong((times - 1L) << 4 | 15);
                    at += times * 120;
                } else {
                    at += block(pending, at, blocks);
                    previous[0] = pending.get(at - 1);
                }
            }
            int words = blocks.position() / 8;
            byte[] bytes = new byte[1 + words * 8];
            bytes[0] = (byte) (control | (words - 1));
            System.arraycopy(blocks.array(), 0, bytes, 1, words * 8);
            parts.add(new Part(bytes, at - first));
        }
        pending.clear();
    }

    private static boolean same(BigInteger a, BigInteger b) {
        return a == null ? b == null : a.equals(b);
    }

    /** Adds a block of a random form that fits; returns how many numbers it has. */
    private int block(List<BigInteger> numbers, int at, ByteBuffer blocks) {
        while (true) {
            int[] form = FORMS[random.nextInt(FORMS.length)];
            int width = form[2] + form[3];
            int bits = form[1] < 0 ? 60 : 56;
            int count = bits / width;
            BigInteger word = BigInteger.ZERO;
            boolean fits = at + count <= numbers.size();
            for (int i = 0; fits && i < count; i++) {
                BigInteger slot = slot(numbers.get(at + i), form);
                fits = slot != null;
                word = fits ? word.or(slot.shiftLeft(i * width)) : word;
            }
            if (fits) {
                BigInteger all = form[1] < 0 ? word : word.shiftLeft(4).or(BigInteger.valueOf(form[1]));
                blocks.putLong(all.shiftLeft(4).or(BigInteger.valueOf(form[0])).longValue());
                return count;
            }
        }
    }

    /** The differences between values of one type. */
    private static final class Differences {
        private final Value start;
        private final Scale scale;
        private Value last;
        private BigInteger number;
        private BigInteger step = BigInteger.ZERO;

        private Differences(Value start, Scale scale) {
            this.start = start;
            this.scale = scale;
            last = start;
            number = start.number(scale);
        }

        static Differences after(Value value, Random random) {
            Scale scale = Scale.BITS;
            if (value.type() == BsonType.DOUBLE) {
                Scale any = Scale.values()[random.nextInt(Scale.values().length)];
                scale = value.number(any) == null ? Scale.BITS : any;
            }
            return new Differences(value, scale);
        }

        int control() {
            return 0x80 + 16 * scale.ordinal();
        }

        /** The number to store for a value; null if it must be a literal. */
        BigInteger to(Value value) {
            if (value.type() != start.type()) {
                return null;
            }
            if (last.same(value) && !start.twice()) {
                return BigInteger.ZERO;
            }
            BigInteger to = value.likes(start) ? value.number(scale) : null;
            if (to == null || number == null) {
                return null;
            }
            BigInteger difference = to.subtract(number);
            if (start.twice()) {
                difference = difference.subtract(step);
            }
            boolean narrow = !start.wide();
            BigInteger modulus = narrow ? BigInteger.ONE.shiftLeft(64) : TWO_128;
            BigInteger half = modulus.shiftRight(1);
            BigInteger signed = difference.add(half).mod(modulus).subtract(half);
            return signed.signum() < 0 ? signed.negate().shiftLeft(1).subtract(BigInteger.ONE) : signed.shiftLeft(1);
        }

        void accept(Value value) {
            BigInteger to = value.number(scale);
            if (to != null && number != null) {
                step = to.subtract(number);
            }
            number = to;
            last = value;
        }
    }
}
