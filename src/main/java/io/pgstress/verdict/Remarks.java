package io.pgstress.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What the checks of a result find, in the order in which they find it. Not thread-safe. */
final class Remarks {
    private final List<String> reasons = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** Why the figures may not be used. */
    void reason(String format, Object... values) {
        reasons.add(text(format, values));
    }

    /** What else to know. */
    void warning(String format, Object... values) {
        warnings.add(text(format, values));
    }

    /** Without values the text is taken as it is. */
    private static String text(String format, Object... values) {
        return values.length == 0 ? format : String.format(Locale.ROOT, format, values);
    }

    /** The reasons, then the warnings. */
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
