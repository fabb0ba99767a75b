package io.pgstress.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The findings of the checks, in order. Not thread-safe. */
final class Remarks {
    private final List<String> reasons = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** Adds a reason why the figures are not valid. */
    void reason(String format, Object... values) {
        reasons.add(text(format, values));
    }

    /** Adds a warning. */
    void warning(String format, Object... values) {
        warnings.add(text(format, values));
    }

    /** Without values, the text is not formatted. */
    private static String text(String format, Object... values) {
        return values.length == 0 ? format : String.format(Locale.ROOT, format, values);
    }

    /** The reasons followed by the warnings. */
    List<String> all() {
        return Stream.concat(reasons.stream(), warnings.stream()).toList();
    }

    List<String> reasons() {
        return reasons;
    }

    List<String> warnings() {
        return warnings;
    }
}
