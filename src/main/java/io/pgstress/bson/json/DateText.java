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
        date(Math.floorDiv(millis, DAY_MILLIS), false, out);
        out.put('T');
        time((int) Math.floorMod(millis, DAY_MILLIS), out);
        out.put('Z');
    }

    /** Appends PostgreSQL's format, {@code yyyy-MM-dd HH:mm:ss[.SSS]+00[ BC]}, for any instant in the range of timestamptz. */
    public static void sql(long millis, ByteSink out) {
        boolean beforeChrist = date(Math.floorDiv(millis, DAY_MILLIS), true, out);
        out.put(' ');
        time((int) Math.floorMod(millis, DAY_MILLIS), out);
        out.put('+');
        Decimals.padded(0, 2, out);
        if (beforeChrist) {
            out.put(' ');
            out.put('B');
            out.put('C');
        }
    }

    /** Appends the day, by Howard Hinnant's civil_from_days; returns whether its year is before 1 (1 BC is year 0). */
    private static boolean date(long epochDay, boolean eras, ByteSink out) {
        long shifted = epochDay + 719_468;
        long era = Math.floorDiv(shifted, 146_097L);
        int dayOfEra = (int) (shifted - era * 146_097);
        int yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int fromMarch = (5 * dayOfYear + 2) / 153;
        int month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
        int year = (int) (yearOfEra + era * 400) + (month <= 2 ? 1 : 0);
        boolean beforeChrist = eras && year <= 0;
        int shown = beforeChrist ? 1 - year : year;
        if (shown < 10_000) {
            Decimals.padded(shown, 4, out);
        } else {
            Decimals.write(shown, out);
        }
        out.put('-');
        Decimals.padded(month, 2, out);
        out.put('-');
        Decimals.padded(dayOfYear - (153 * fromMarch + 2) / 5 + 1, 2, out);
        return beforeChrist;
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
