package io.pgstress.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects what is to be known about a result before it is believed. Not thread-safe. */
final class Validity {
    private final List<String> reasons = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** Something to know. */
    void warn(String format, Object... values) {
        warnings.add(String.format(Locale.ROOT, format, values));
    }

    /** Something for which the result is not to be believed. */
    void invalid(String format, Object... values) {
        reasons.add(String.format(Locale.ROOT, format, values));
    }

    /** @param reason why the run ended before its time; null where it did not */
    void reason(Stop.@Nullable Reason reason) {
        if (reason != null) {
            if (reason.isValid()) {
                warn("ended early: %s", reason.text());
            } else {
                invalid("ended early: %s", reason.text());
            }
        }
    }

    boolean isValid() {
        return reasons.isEmpty();
    }

    /** Why the figures may not be used, in the order in which that was found. */
    List<String> reasons() {
        return reasons;
    }

    /** The reasons, then the warnings. */
    List<String> remarks() {
        return Stream.concat(reasons.stream(), warnings.stream()).toList();
    }

    List<String> warnings() {
        return warnings;
    }
}
