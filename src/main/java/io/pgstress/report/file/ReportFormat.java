package io.pgstress.report.file;

import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.util.List;

/**
 * A result format, listed in {@code Reports}.
 *
 * @param name which is also the name of its option or, for a table of CSV, of its file
 * @param description a few words for the help
 * @param content which results it can contain
 */
public record ReportFormat(String name, String description, Content content, ReportWriter writer)
        implements ReportWriter {
    /** Which results a report can contain. Every format supports a run. */
    public enum Content {
        /** Several of any kind: runs, comparisons, scalings. */
        RESULTS,
        ONE_RESULT,
        RUNS,
        ONE_RUN
    }

    /** Whether it can combine several results in one report. */
    public boolean takesSeveral() {
        return content == Content.RESULTS || content == Content.RUNS;
    }

    /** Whether it supports runs only, not comparisons or scalings. */
    public boolean takesRunsOnly() {
        return content == Content.RUNS || content == Content.ONE_RUN;
    }

    /** Whether it supports this kind of result. */
    public boolean takes(Result result) {
        return !takesRunsOnly() || result instanceof RunResult;
    }

    /** @throws IllegalArgumentException if the format cannot contain these results */
    @Override
    public void write(List<? extends Result> results, Appendable out) throws IOException {
        if (!takesSeveral() && results.size() != 1) {
            throw new IllegalArgumentException(name + " contains one result, not " + results.size());
        }
        for (Result result : results) {
            if (!takes(result)) {
                throw new IllegalArgumentException(result.run().id() + " is not a run");
            }
        }
        writer.write(results, out);
    }
}
