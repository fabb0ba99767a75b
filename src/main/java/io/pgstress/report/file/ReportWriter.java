package io.pgstress.report.file;

import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.List;

/**
 * A format for results, listed in {@code Reports}. Stateless and thread-safe. What it writes does
 * not depend on the default locale, time zone or character set.
 */
public interface ReportWriter {
    /** The format's name: what the command line's option is called. */
    String name();

    /** One sentence for the help. */
    String description();

    /** Whether it can lay several results beside or below each other. */
    default boolean takesSeveral() {
        return true;
    }

    /** Whether it knows how to write runs only, no comparison and no search for clients. */
    default boolean takesRunsOnly() {
        return true;
    }

    /** Whether it knows how to write this kind of finding; every one knows how to write a run. */
    default boolean takes(Result finding) {
        return !takesRunsOnly() || finding instanceof RunResult;
    }

    /**
     * The findings as runs.
     *
     * @throws IllegalArgumentException where one is none
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
     * Writes findings, in their order.
     *
     * @param findings at least one, exactly one where not {@link #takesSeveral}; such as it {@link #takes}
     * @throws IOException where {@code out} fails
     */
    void write(List<? extends Result> findings, Appendable out) throws IOException;
}
