package io.pgstress.extra.suggest;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Dates of canonical Extended JSON. */
final class Dates {
    /** The end of the years that relaxed Extended JSON writes as text, 1970 to 9999. */
    private static final long YEAR_10000 =
            Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    private Dates() {}

    /** Whether an import writes this date as text that sorts by time. */
    static boolean isText(@Nullable Object value) {
        double millis = millis(value);
        return BsonValues.kind(value).equals("date") && millis >= 0 && millis <= YEAR_10000;
    }

    private static double millis(@Nullable Object value) {
        return BsonValues.number(BsonValues.map(value).get("$date"));
    }

    /** The date in seconds as ISO 8601; empty for any other value. */
    static String iso(@Nullable Object value) {
        if (!BsonValues.kind(value).equals("date")) {
            return "";
        }
        Instant time = Instant.ofEpochMilli((long) millis(value));
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
