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
 * Steps that needed what an empty result of an earlier one did not give: a mistake of the file that no server shows, so that
 * a run in which it was met is not valid. Thread-safe.
 */
final class EmptySteps {
    private static final String NO_DATA = "02000";

    private final Map<String, LongAdder> met = new ConcurrentHashMap<>();

    /** The error of a step without the value of this parameter, of SQLSTATE 02000 (no data). */
    SQLException at(CustomStep step, int parameter) {
        String text = step.source()
                .tell("parameter ':" + step.sql().names().get(parameter)
                        + "' is kept from a step whose result was empty (define 'miss' for that step)");
        met.computeIfAbsent(text, t -> new LongAdder()).increment();
        return new SQLException(text, NO_DATA);
    }

    /** What was met; nothing where all went well. */
    List<PostRunCheck> found() {
        List<PostRunCheck> found = new ArrayList<>();
        met.forEach((text, times) ->
                found.add(new PostRunCheck(false, String.format(Locale.ROOT, "%s, %,d times", text, times.sum()))));
        return found;
    }
}
