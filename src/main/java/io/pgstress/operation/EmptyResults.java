package io.pgstress.operation;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Steps of an operation that needed a value from a query whose result was empty. This is a mistake in the user's file, which the server does
 * not report; it makes the run invalid. Thread-safe.
 */
public final class EmptyResults {
    /** Their SQLSTATE. */
    public static final String NO_DATA = "02000";

    private final Map<String, LongAdder> met = new ConcurrentHashMap<>();

    /** @param error the message of the step's failure */
    public void met(String error) {
        met.computeIfAbsent(error, t -> new LongAdder()).increment();
    }

    /** The failed steps; empty if there were none. */
    public List<Remark> found() {
        return met.entrySet().stream()
                .map(one -> RemarkCode.EMPTY_RESULT_USED
                        .with("error", one.getKey())
                        .with("times", one.getValue().sum())
                        .remark())
                .toList();
    }
}
