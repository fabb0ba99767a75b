package io.pgstress.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Collects what is to be known about a result before it is believed. Not thread-safe. */
final class Validity {
    private final List<String> warnings = new ArrayList<>();
    private boolean valid = true;

    /** Something to know. */
    void warn(String format, Object... values) {
        warnings.add(String.format(Locale.ROOT, format, values));
    }

    /** Something for which the result is not to be believed. */
    void invalid(String format, Object... values) {
        warn(format, values);
        valid = false;
    }

    /** @param reason why the run ended before its time; null where it did not */
    void reason(Stop.@Nullable Reason reason) {
        if (reason != null) {
            warn("ended early: %s", reason.text());
            valid &= reason.isValid();
        }
    }

    boolean isValid() {
        return valid;
    }

    List<String> warnings() {
        return warnings;
    }
}
