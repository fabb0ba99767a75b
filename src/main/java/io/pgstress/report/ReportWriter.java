package io.pgstress.report;

import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.List;

/**
 * A format in which results are written; to be entered in {@link Reports}. Stateless and thread-safe. What it writes does
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

    /**
     * Writes the results, in their order.
     *
     * @param results at least one; exactly one where not {@link #takesSeveral}
     * @throws IOException where {@code out} fails
     */
    void write(List<RunResult> results, Appendable out) throws IOException;
}
