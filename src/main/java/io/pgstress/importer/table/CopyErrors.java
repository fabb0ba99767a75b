package io.pgstress.importer.table;

import io.pgstress.target.driver.ServerErrors;
import java.sql.SQLException;
import java.util.Set;

/** What an error of the server means for the rows that it refused. */
public final class CopyErrors {
    /**
     * Classes of SQLSTATEs that another set of rows would meet as well: connection, wrong state, authorization, transaction
     * rollback, missing table or privilege, resources (full disk), wrong prerequisites, operator intervention, I/O.
     */
    private static final Set<String> NOT_OF_THE_DATA =
            Set.of("08", "25", "28", "40", "42", "53", "55", "57", "58", "F0", "HV");

    /** All that Postgres-XL says, with 08000, of a duplicate key that a datanode met inside COPY. */
    private static final String COPY_FAILED = "Copy failed on a data node";

    private static final Set<String> DAMAGE = Set.of("XX001", "XX002");

    private CopyErrors() {}

    /** Whether the rows are to blame, so that halving finds which. */
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

    /** Whether it does not say that it is the rows: an internal error, or that a node's COPY failed, by a full disk as well. */
    public static boolean isUnclear(SQLException e) {
        return ServerErrors.stateOf(e).startsWith("XX")
                || ServerErrors.sampleOf(e).equals(COPY_FAILED);
    }

    /** Whether the same rows may be taken at the next try: a deadlock, a serialization failure. */
    public static boolean isTransient(SQLException e) {
        String state = ServerErrors.stateOf(e);
        return ServerErrors.sessionIsAlive(e) && (state.equals("40P01") || state.equals("40001"));
    }
}
