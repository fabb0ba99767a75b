package io.pgstress.importer;

import io.pgstress.importer.table.TableImport;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Turns the failure of an import into an exception for the user. */
final class ImportFailure {
    private ImportFailure() {}

    /** The exception to throw for this failure. */
    static TargetException of(Throwable failure, List<TableImport> tables) throws IOException {
        if (failure instanceof Error error && !(failure instanceof OutOfMemoryError)) {
            throw error;
        }
        long rows = tables.stream().mapToLong(TableImport::rows).sum();
        if (rows == 0 && failure instanceof TargetException early) {
            return early;
        }
        for (TableImport table : tables) {
            table.close();
        }
        String loaded = "; loaded " + Counted.of(rows, "row") + "; run the same command with --resume to continue";
        return new TargetException(line(failure) + loaded, failure);
    }

    static String line(Throwable failure) {
        if (failure instanceof InterruptedException) {
            return "interrupted";
        }
        if (failure instanceof OutOfMemoryError) {
            return String.format(
                    Locale.ROOT,
                    "the heap of %,d MiB is full: use fewer --jobs or a larger heap (STRESS_JAVA_OPTS=-Xmx...)",
                    Runtime.getRuntime().maxMemory() >> 20);
        }
        if (failure instanceof SQLException sql) {
            return ServerErrors.sampleOf(sql) + " (SQLSTATE " + ServerErrors.stateOf(sql) + ")";
        }
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
}
