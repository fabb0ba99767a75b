package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;
import io.pgstress.target.statement.SqlStatement.CopyPortions;
import java.nio.charset.StandardCharsets;

/**
 * The rows of one client: a unique id and a text. A few random texts are reused row by row, so that generating and
 * encoding them is not what is measured. Not thread-safe.
 */
final class BulkRows {
    /** Who makes the values of a row. */
    enum Values {
        /** The client sends them. */
        CLIENT,
        /** The client sends an id; the column's default is the rest. */
        SERVER,
        /** The client sends no value, only the number of rows: each is {@code (now())}, and the column's default is the rest. */
        NOW
    }

    /** Bytes of the columns id and at. */
    static final int FIXED_BYTES = 16;

    private static final int TEXTS = 64;
    private static final int DIGITS = 20;

    private static final byte[] NOW = {'n', 'o', 'w'};

    private final int count;
    private final byte[][] texts = new byte[TEXTS][];
    private final String[] strings = new String[TEXTS];
    private final long stride;
    private long next;
    private byte[] copy = new byte[0];

    /**
     * @param count rows per statement
     * @param rowBytes bytes of a row's values
     * @param first the first id; the following ones are {@code stride} apart
     */
    BulkRows(int count, int rowBytes, long seed, int client, long stride, long first) {
        this.count = count;
        this.stride = stride;
        this.next = first + 1 - stride * count;
        byte[][] made = texts(rowBytes - FIXED_BYTES, new SplitMix(seed, client));
        for (int t = 0; t < TEXTS; t++) {
            texts[t] = made[t];
            strings[t] = new String(made[t], StandardCharsets.US_ASCII);
        }
    }

    /** Texts of random letters; their number is a power of two. */
    static byte[][] texts(int length, SplitMix random) {
        byte[][] texts = new byte[TEXTS][length];
        for (byte[] text : texts) {
            for (int i = 0; i < length; i++) {
                text[i] = (byte) ('a' + random.below(26));
            }
        }
        return texts;
    }

    /** Advances to the rows of the next statement. */
    void draw() {
        next += stride * count;
    }

    long id(int row) {
        return next + stride * row;
    }

    String text(int row) {
        return strings[row & (TEXTS - 1)];
    }

    /**
     * All rows in COPY's format, which are valid until the next call.
     *
     * @param values which columns they have; instead of the server's function, COPY takes the word {@code now}
     */
    CopyPortions asCopy(Values values) {
        int most = count * (texts[0].length + DIGITS + 2);
        if (copy.length < most) {
            copy = new byte[most];
        }
        byte[] to = copy;
        int at = 0;
        for (int row = 0; row < count; row++) {
            byte[] id = values == Values.NOW ? NOW : Long.toString(id(row)).getBytes(StandardCharsets.US_ASCII);
            byte[] text = texts[row & (TEXTS - 1)];
            System.arraycopy(id, 0, to, at, id.length);
            at += id.length;
            if (values == Values.CLIENT) {
                to[at++] = '\t';
                System.arraycopy(text, 0, to, at, text.length);
                at += text.length;
            }
            to[at++] = '\n';
        }
        return CopyPortions.of(to, at);
    }
}
