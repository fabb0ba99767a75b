package io.pgstress.importer;

import io.pgstress.importer.TableCompletion.ImportFailure;
import io.pgstress.importer.table.TableImport;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** The number of documents that may be rejected; more end an import, with the chunk that they are in. Thread-safe. */
public final class RejectLimit {
    /** Rejects beyond the limit for which the rest of a chunk is still loaded; each costs several transactions. */
    private static final int SLACK = 100;

    private final long max;
    private final AtomicLong rejected = new AtomicLong();

    RejectLimit(long max) {
        this.max = max;
    }

    /** Counts rejected documents. */
    void add(long count) {
        rejected.addAndGet(count);
    }

    /** Called before a chunk is loaded. */
    void check() throws TooManyRejectsException {
        if (rejected.get() > max) {
            throw new TooManyRejectsException(rejected.get(), max);
        }
    }

    /** Called after a single document was found among many that the server accepts. */
    void checkFarBeyond() throws TooManyRejectsException {
        if (rejected.get() - SLACK > max) {
            throw new TooManyRejectsException(rejected.get(), max);
        }
    }

    /** More documents were rejected than the import tolerates, before all of the input was read. */
    public static final class TooManyRejectsException extends IOException {
        private static final long serialVersionUID = 1;

        TooManyRejectsException(long rejected, long max) {
            super(String.format(
                    Locale.ROOT, "%s rejected, more than --max-rejects %,d", Counted.of(rejected, "document"), max));
        }

        private TooManyRejectsException(String message) {
            super(message);
        }

        /** The message for the user: why, in which collection, where the reasons are, what was loaded, and how to go on. */
        TooManyRejectsException told(List<TableImport> all, boolean atomic) {
            String kinds = all.stream()
                    .flatMap(table -> table.counts().rejects().entrySet().stream())
                    .max((a, b) -> Long.compare(a.getValue(), b.getValue()))
                    .map(most -> " (" + most.getKey() + ")")
                    .orElse("");
            long rows = all.stream().mapToLong(TableImport::rows).sum();
            String end = atomic
                    ? "nothing was imported"
                    : "the import stopped after " + Counted.of(rows, "row") + ImportFailure.withoutKey(all)
                            + "; to go on, run the same command with --resume and a higher --max-rejects";
            List<TableImport> rejecting =
                    all.stream().filter(table -> table.rejected() > 0).toList();
            String files = rejecting.stream()
                    .max(Comparator.comparingLong(TableImport::rejected))
                    .map(most -> (rejecting.size() > 1 ? "; most are of " : ", of ")
                            + most.collection().namespace() + ": see " + most.rejectsFile())
                    .orElse("");
            return new TooManyRejectsException(getMessage() + kinds + files + "; " + end);
        }
    }
}
