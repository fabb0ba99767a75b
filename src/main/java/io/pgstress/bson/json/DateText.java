package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.json.Decimal128Text.Decimals;

/** Writes instants as text in the proleptic Gregorian calendar, UTC, with milliseconds unless they are 0. Allocates nothing. */
public final class DateText {
    private static final long DAY_MILLIS = 86_400_000L;

    /** 10000-01-01T00:00:00Z. Relaxed JSON writes instants from 1970 to before this one as text. */
    private static final long YEAR_10000 = 253_402_300_800_000L;

    private DateText() {}

    /** Whether relaxed JSON writes this instant, in milliseconds since 1970, as text. */
    public static boolean isIso(long millis) {
        return millis >= 0 && millis < YEAR_10000;
    }

    /** Appends {@code yyyy-MM-ddTHH:mm:ss[.SSS]Z}, for the years 1970 to 9999. */
    static void iso(long millis, ByteSink out) {
        date(Math.floorDiv(millis, DAY_MILLIS), out);
        out.put('T');
        time((int) Math.floorMod(millis, DAY_MILLIS), out);
        out.put('Z');
    }

    /** Appends the day, by Howard Hinnant's civil_from_days. */
    private static void date(long epochDay, ByteSink out) {
        long shifted = epochDay + 719_468;
        long era = Math.floorDiv(shifted, 146_097L);
        int dayOfEra = (int) (shifted - era * 146_097);
        int yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int fromMarch = (5 * dayOfYear + 2) / 153;
        int month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
        Decimals.padded((int) (yearOfEra + era * 400) + (month <= 2 ? 1 : 0), 4, out);
        out.put('-');
        Decimals.padded(month, 2, out);
        out.put('-');
        Decimals.padded(dayOfYear - (153 * fromMarch + 2) / 5 + 1, 2, out);
    }

    private static void time(int millisOfDay, ByteSink out) {
        int seconds = millisOfDay / 1_000;
        Decimals.padded(seconds / 3_600, 2, out);
        out.put(':');
        Decimals.padded(seconds / 60 % 60, 2, out);
        out.put(':');
        Decimals.padded(seconds % 60, 2, out);
        if (millisOfDay % 1_000 != 0) {
            out.put('.');
            Decimals.padded(millisOfDay % 1_000, 3, out);
        }
    }
}
