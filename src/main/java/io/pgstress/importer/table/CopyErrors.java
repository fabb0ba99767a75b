package io.pgstress.importer.table;

import io.pgstress.target.driver.ServerErrors;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** Classifies server errors by what they mean for the refused rows. */
public final class CopyErrors {
    /**
     * Classes of SQLSTATEs that any other rows would cause as well: connection, a feature that is not supported (COPY into a
     * table with row security), wrong state, authorization, missing database or schema, transaction rollback, missing table or
     * privilege, resources (full disk), wrong prerequisites, operator intervention, I/O (PostgreSQL's manual, appendix A).
     * Functions of triggers raise errors of classes that are not in this list.
     */
    private static final Set<String> NOT_OF_THE_DATA = Set.of(
            "08", "0A", "0B", "0L", "0P", "25", "26", "28", "2B", "2D", "3B", "3D", "3F", "40", "42", "53", "55", "57",
            "58", "F0", "HV");

    /** Postgres-XL's only message, with 08000, when a datanode finds a duplicate key during COPY. */
    private static final String COPY_FAILED = "Copy failed on a data node";

    private static final Set<String> DAMAGE = Set.of("XX001", "XX002");

    /** SQLSTATEs that documents cause, in words. */
    private static final Map<String, String> WORDS = Map.of(
            "23502", "a null value in a column that must have one",
            "23503", "a missing foreign key",
            "23505", "duplicate key",
            "23514", "a check constraint",
            "23P01", "an exclusion constraint",
            "22P02", "a value that the column's type does not accept",
            "54000", "a value beyond a limit of the server",
            "XX000", "an internal error");

    private CopyErrors() {}

    /** Why the server refused a document, in words, with the SQLSTATE: the same for all documents of a kind. */
    public static String phrase(SQLException e) {
        String state = ServerErrors.stateOf(e);
        String words = WORDS.getOrDefault(state, "");
        return "refused by the server: " + (words.isEmpty() ? "SQLSTATE " + state : words + " (" + state + ")");
    }

    /** Whether the rows are at fault, so that halving the chunk finds them. */
    public static boolean isOfTheData(SQLException e) {
        String state = ServerErrors.stateOf(e);
        if (ServerErrors.sessionIsAlive(e) && ServerErrors.sampleOf(e).equals(COPY_FAILED)) {
            return true;
        }
        return ServerErrors.sessionIsAlive(e)
                && state.length() == 5
                && !NOT_OF_THE_DATA.contains(state.substring(0, 2))
                && !DAMAGE.contains(state);
    }

    /** Whether an _id may occur twice. */
    public static boolean isDuplicate(SQLException e) {
        return ServerErrors.stateOf(e).equals("23505")
                || ServerErrors.sampleOf(e).equals(COPY_FAILED);
    }

    /**
     * Whether the error leaves open if the rows are at fault: an internal error, or a failed COPY on a node, which may be due
     * to a full disk.
     */
    public static boolean isUnclear(SQLException e) {
        return ServerErrors.stateOf(e).startsWith("XX")
                || ServerErrors.sampleOf(e).equals(COPY_FAILED);
    }

    /** Whether a retry with the same rows may succeed: a deadlock or a serialization failure. */
    public static boolean isTransient(SQLException e) {
        String state = ServerErrors.stateOf(e);
        return ServerErrors.sessionIsAlive(e) && (state.equals("40P01") || state.equals("40001"));
    }
}
