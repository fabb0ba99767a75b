package io.pgstress.operation.custom;

import io.pgstress.operation.PostRunCheck;
import io.pgstress.plan.custom.CustomStep;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Steps that needed a value from an earlier step whose result was empty. This is a mistake in the file, which the server
 * does not report; it makes the run invalid. Thread-safe.
 */
final class EmptySteps {
    private static final String NO_DATA = "02000";

    private final Map<String, LongAdder> met = new ConcurrentHashMap<>();

    /** The error for a step that lacks this parameter's value, with SQLSTATE 02000 (no data). */
    SQLException at(CustomStep step, int parameter) {
        String text = step.source()
                .message("parameter ':" + step.sql().names().get(parameter)
                        + "' is kept from a step whose result was empty (define 'miss' for that step)");
        met.computeIfAbsent(text, t -> new LongAdder()).increment();
        return new SQLException(text, NO_DATA);
    }

    /** The failed steps; empty if there were none. */
    List<PostRunCheck> found() {
        List<PostRunCheck> found = new ArrayList<>();
        met.forEach((text, times) ->
                found.add(new PostRunCheck(false, String.format(Locale.ROOT, "%s, %,d times", text, times.sum()))));
        return found;
    }
}
