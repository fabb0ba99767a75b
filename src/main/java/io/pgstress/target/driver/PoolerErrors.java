package io.pgstress.target.driver;

import java.sql.SQLException;
import java.util.regex.Pattern;
import org.postgresql.util.ServerErrorMessage;

/** Errors that reveal a pooler in front of the server. */
public final class PoolerErrors {
    /** What to do if sessions are shared. */
    public static final String ADVICE =
            "use session pooling, PgBouncer 1.21 or newer with max_prepared_statements above 0, or"
                    + " --statement plain or extended";

    /** The driver's names of statements, whatever quotation marks the server's language uses. */
    private static final Pattern DRIVERS_NAME = Pattern.compile("\\bS_\\d+\\b");

    /** The unnamed statement, which the driver prepares before each use. */
    private static final Pattern UNNAMED = Pattern.compile("\"\"|unnamed prepared statement");

    /** PgBouncer's message for startup options that it refuses. */
    private static final String REFUSED_PARAMETER = "unsupported startup parameter";

    /** Part of PgBouncer's message about transactions. */
    private static final String STATEMENT_POOLING = "statement pooling mode";

    private static final String CHANGED_PLAN = "RevalidateCachedQuery";

    private PoolerErrors() {}

    /**
     * Whether the error means that the statement ran in another client's session. Each SQLSTATE has ordinary causes too, so the rest of
     * the error decides: 42P05, 26000 and 08P01 count if they concern a statement that the driver named (SQL that prepares its own
     * uses other names; "query_wait_timeout" is a pooler's 08P01). 0A000 counts on shared sessions only, and there if it concerns a
     * changed plan, or lacks the source location that every PostgreSQL sends.
     *
     * @param sharesSessions whether sessions were found to be shared before the load
     */
    public static boolean isOfForeignSession(SQLException e, boolean sharesSessions) {
        ServerErrorMessage sent = ServerErrors.sentBy(e);
        if (sent == null) {
            return false;
        }
        String message = String.valueOf(sent.getMessage());
        return switch (String.valueOf(sent.getSQLState())) {
            case "42P05" -> DRIVERS_NAME.matcher(message).find();
            case "26000", "08P01" ->
                DRIVERS_NAME.matcher(message).find() || UNNAMED.matcher(message).find();
            case "0A000" -> sharesSessions && (sent.getRoutine() == null || CHANGED_PLAN.equals(sent.getRoutine()));
            default -> false;
        };
    }

    /** The error, and what to do about it. */
    public static String words(SQLException e) {
        return "(" + ServerErrors.stateOf(e) + ": " + ServerErrors.sampleOf(e) + "); " + ADVICE;
    }

    /** Whether a pooler lends sessions for one statement only, and refused a transaction; it closes the connection. */
    public static boolean isOfStatementPooling(SQLException e) {
        ServerErrorMessage sent = ServerErrors.sentBy(e);
        return sent != null && String.valueOf(sent.getMessage()).contains(STATEMENT_POOLING);
    }

    /** Whether a pooler refused the startup options of a connection. */
    public static boolean refusesOptions(SQLException e) {
        ServerErrorMessage sent = ServerErrors.sentBy(e);
        String message = sent == null ? null : sent.getMessage();
        return message != null && message.contains(REFUSED_PARAMETER) && message.contains("options");
    }
}
