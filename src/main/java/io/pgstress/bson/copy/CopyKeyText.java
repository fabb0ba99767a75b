package io.pgstress.bson.copy;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Fault;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.Timestamps;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The keys of documents as text that the server reads as a value of the key's type. Not thread-safe. */
public final class CopyKeyText {
    private static final int KEPT = 1 << 12;
    /** Index of the key's length in a row that has only the key. */
    private static final int LENGTH_AT = Short.BYTES;

    private final KeyForm form;
    private final CopyRows rows;
    private final ByteSink sink = new ByteSink(1 << 6);
    private @Nullable Reject reject;

    public CopyKeyText(KeyForm form, JsonOptions options) {
        this.form = form;
        this.rows = new CopyRows(form, options);
    }

    /**
     * The key of the document of {@code size} bytes at {@code from}, the last if there are several; null if there is none or it
     * does not fit, for the reason that {@link #reject} returns.
     */
    public @Nullable String of(byte[] bytes, int from, int size) {
        sink.shrink(KEPT);
        boolean done = rows.appendKeyOnly(bytes, from, size, sink);
        Reject why = done ? null : rows.reject();
        reject = done || why != null ? why : new Reject(Fault.KEY_MISSING, 0, "");
        return done ? of(form, sink.array(), LENGTH_AT) : null;
    }

    /** Why the last document has no key; null if it has one. */
    public @Nullable Reject reject() {
        return reject;
    }

    /** The text of a key in COPY's binary format, whose length is at {@code at}. */
    public static String of(KeyForm form, byte[] field, int at) {
        ByteBuffer key = ByteBuffer.wrap(field, at, field.length - at);
        int length = key.getInt();
        return switch (form) {
            case INT -> Integer.toString(key.getInt());
            case BIGINT -> Long.toString(key.getLong());
            case NUMERIC -> numeric(key);
            case UUID -> new UUID(key.getLong(), key.getLong()).toString();
            case TIMESTAMPTZ -> timestamp(Timestamps.millis(key.getLong()));
            case TEXT, TEXT_OF_JSON -> new String(field, key.position(), length, StandardCharsets.UTF_8);
        };
    }

    private static String numeric(ByteBuffer key) {
        int groups = key.getShort();
        int weight = key.getShort();
        boolean negative = key.getShort() != 0;
        int scale = key.getShort();
        BigInteger digits = BigInteger.ZERO;
        for (int i = 0; i < groups; i++) {
            digits = digits.multiply(BigInteger.valueOf(10_000)).add(BigInteger.valueOf(key.getShort()));
        }
        BigDecimal value = new BigDecimal(negative ? digits.negate() : digits, 4 * (groups - weight - 1));
        return value.setScale(scale).toPlainString();
    }

    /** PostgreSQL's format, {@code yyyy-MM-dd HH:mm:ss[.SSS]+00[ BC]}. */
    private static String timestamp(long millis) {
        LocalDateTime time = LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
        int fraction = time.get(ChronoField.MILLI_OF_SECOND);
        return String.format(
                Locale.ROOT,
                "%04d-%02d-%02d %02d:%02d:%02d%s+00%s",
                time.get(ChronoField.YEAR_OF_ERA),
                time.getMonthValue(),
                time.getDayOfMonth(),
                time.getHour(),
                time.getMinute(),
                time.getSecond(),
                fraction == 0 ? "" : String.format(Locale.ROOT, ".%03d", fraction),
                time.getYear() > 0 ? "" : " BC");
    }
}
