package io.pgstress.verdict;

import java.util.ArrayList;
import java.util.List;

/** What the checks of a result find, in the order in which they find it. Not thread-safe. */
final class Remarks {
    private final List<String> reasons = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** Why the figures may not be used. */
    void reason(String text) {
        reasons.add(text);
    }

    /** What else to know. */
    void warning(String text) {
        warnings.add(text);
    }

    List<String> reasons() {
        return reasons;
    }

    List<String> warnings() {
        return warnings;
    }
}
