package io.pgstress.report.file;

import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.List;

/**
 * A result format, listed in {@code Reports}. Stateless and thread-safe. The output does
 * not depend on the default locale, time zone or character set.
 */
public interface ReportWriter {
    /** The format's name, which is also the name of its option. */
    String name();

    /** One sentence for the help text. */
    String description();

    /** Whether it can combine several results in one report. */
    default boolean takesSeveral() {
        return true;
    }

    /** Whether it supports runs only, not comparisons or scalings. */
    default boolean takesRunsOnly() {
        return true;
    }

    /** Whether it supports this kind of result; every format supports runs. */
    default boolean takes(Result finding) {
        return !takesRunsOnly() || finding instanceof RunResult;
    }

    /**
     * The results as runs.
     *
     * @throws IllegalArgumentException if one of them is not a run
     */
    static List<RunResult> runs(List<? extends Result> findings) {
        return findings.stream()
                .map(f -> {
                    if (f instanceof RunResult run) {
                        return run;
                    }
                    throw new IllegalArgumentException(f.run().id() + " is not a run");
                })
                .toList();
    }

    /**
     * Writes the results in order.
     *
     * @param findings at least one, exactly one unless {@link #takesSeveral}; of kinds it {@link #takes}
     * @throws IOException if writing to {@code out} fails
     */
    void write(List<? extends Result> findings, Appendable out) throws IOException;
}
