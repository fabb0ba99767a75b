package io.pgstress.importer.table;

import io.pgstress.importer.verify.Checksum;
import io.pgstress.importer.verify.TableSum;
import io.pgstress.importer.verify.Verification;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads tables back and compares them with the input: the number of rows, and the sum of their hashes over keys and the values
 * of documents. What a resumed import could not find out again is saved with its progress. Used by one thread.
 */
final class Verifier {
    private final Connection connection;
    private final ProgressTable progress;
    private final boolean joins;

    /** @param joins whether the server can join a staging table with its target */
    Verifier(Connection connection, ProgressTable progress, boolean joins) {
        this.connection = connection;
        this.progress = progress;
        this.joins = joins;
    }

    /**
     * Determines the contents of the table before rows are loaded.
     *
     * @param resumed the progress of the import to resume; null for a new import
     * @throws TargetException if the resumed import began without {@code --verify}, or if the outcome of duplicates cannot be
     *     determined
     */
    void begin(TableImport table, boolean filled, @Nullable Progress resumed) throws SQLException {
        if (filled && table.isStaged() && !joins && resumed == null && hasRows(table.table())) {
            throw new TargetException(
                    "--verify: table " + table.table() + " has rows, and on a cluster the effect of --on-duplicate"
                            + " on them cannot be determined; omit --verify, or import into an empty table");
        }
        if (resumed == null) {
            Checksum before = filled && !table.isStaged() ? sum(table.table()) : Checksum.NONE;
            progress.keepBefore(connection, table.loadTable(), before);
            table.expectation().base(before);
            return;
        }
        Checksum before = before(table, resumed);
        if (before == null) {
            throw new TargetException("--verify: the import of " + table.table() + " was started without it, and "
                    + (resumed.state() == Progress.State.MOVED
                            ? "its duplicates are no longer known"
                            : "the earlier contents of the table are unknown")
                    + "; resume it without --verify");
        }
        progress.keepBefore(connection, table.loadTable(), before);
        table.expectation().base(before);
        if (resumed.expected() != null) {
            table.expectation().whole(resumed.expected());
        }
    }

    /** The contents of the table before the import was started; null if they are unknown. */
    private static @Nullable Checksum before(TableImport table, Progress earlier) {
        boolean wasEmpty =
                !earlier.hadRows() || !table.table().equals(table.route().target());
        boolean isMoved = earlier.state() == Progress.State.MOVED && earlier.expected() == null;
        return earlier.before() == null && wasEmpty && !isMoved ? Checksum.NONE : earlier.before();
    }

    /**
     * Prepares the verification of a table whose import is complete. It is not possible if rows were there before, or if
     * duplicates were dropped; the table then records that.
     */
    void beginAgain(TableImport done, Progress earlier, boolean dropsDuplicates) {
        Checksum before = before(done, earlier);
        if (before == null || dropsDuplicates) {
            done.failed("nothing was verified: all rows were imported before, without --verify, and "
                    + (before == null
                            ? "the earlier contents of the table are unknown"
                            : "the duplicates that --on-duplicate dropped are not known")
                    + "; import again with --if-exists drop");
        } else {
            done.expectation().base(before);
            done.verifyAgain();
        }
    }

    /**
     * Determines the expected contents of the table before staged rows are moved.
     *
     * @throws TargetException if staged rows are missing or differ from the input
     */
    void beforeMove(TableImport table, String winners, boolean replace) throws SQLException {
        String load = table.loadTable().quoted();
        String target = table.table().quoted();
        Checksum staged = TableSum.of(connection, "select _id, data from " + load);
        Verification all = new Verification(table.expectation().input(), staged);
        if (!all.same()) {
            throw new TargetException("verification failed in the staging table " + table.loadTable() + ": "
                    + all.fault() + "; table " + table.table() + " is unchanged");
        }
        String remaining = "select _id, data from " + target + " t";
        String added = winners;
        if (hasRows(table.table()) && replace) {
            remaining += " where not exists (select from " + load + " l where l._id = t._id)";
        } else if (hasRows(table.table())) {
            added = "select _id, data from (" + winners + ") w where not exists (select from " + target
                    + " t where t._id = w._id)";
        }
        Checksum whole = TableSum.of(connection, remaining).plus(TableSum.of(connection, added));
        table.expectation().whole(whole);
        progress.keepExpected(connection, table.loadTable(), whole);
    }

    /** Whether the table has its expected contents at the end; if not, records the fault in {@code table}. */
    boolean verify(TableImport table, Consumer<String> state) throws SQLException {
        long expected = table.expectation().rows();
        Checksum found = TableSum.of(
                connection,
                "select _id, data from " + table.table().quoted(),
                rows -> state.accept(words(table, rows, expected)));
        Verification comparison = table.expectation().compare(found);
        if (!comparison.same()) {
            table.failed("verification failed: " + comparison.fault());
        }
        long lost = table.unaccounted();
        if (lost != 0) {
            table.failed(
                    "verification failed: " + Counted.of(lost, "document") + " that became neither rows nor rejects");
        }
        return comparison.same() && lost == 0;
    }

    private static String words(TableImport table, long rows, long expected) {
        return String.format(
                Locale.ROOT,
                "verifying %s: %.0f%%, %,d rows read back",
                table.table(),
                100.0 * rows / Math.max(rows, expected),
                rows);
    }

    private boolean hasRows(TableName table) throws SQLException {
        return ControlSql.exists(connection, "select 1 from " + table.quoted() + " limit 1");
    }

    private Checksum sum(TableName table) throws SQLException {
        return TableSum.of(connection, "select _id, data from " + table.quoted());
    }
}
