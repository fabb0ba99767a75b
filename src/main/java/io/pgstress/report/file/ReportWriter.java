package io.pgstress.report.file;

import io.pgstress.result.Result;
import java.io.IOException;
import java.util.List;

/**
 * Writes results in a format. Stateless and thread-safe. The output does not depend on the default locale, time zone or
 * character set.
 */
@FunctionalInterface
public interface ReportWriter {
    /**
     * Writes the results in order.
     *
     * @param results at least one, of a number and of kinds that its {@link ReportFormat} takes
     * @throws IOException if writing to {@code out} fails
     */
    void write(List<? extends Result> results, Appendable out) throws IOException;
}
