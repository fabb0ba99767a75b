package io.pgstress.target.driver;

import java.sql.SQLException;
import java.util.regex.Pattern;
import org.postgresql.util.ServerErrorMessage;

/** Errors by which a pooler before the server shows. */
public final class PoolerErrors {
    /** What to do where sessions are shared. */
    public static final String ADVICE =
            "use session pooling, PgBouncer 1.21 or newer with max_prepared_statements above 0, or"
                    + " --statement plain or extended";

    /** How the driver names statements, in whatever language the server puts quotes around them. */
    private static final Pattern DRIVERS_NAME = Pattern.compile("\\bS_\\d+\\b");

    /** The statement that the driver sends without a name; it prepares it each time before it is used. */
    private static final Pattern UNNAMED = Pattern.compile("\"\"|unnamed prepared statement");

    /** PgBouncer's words for what it does not take at connecting. */
    private static final String REFUSED_PARAMETER = "unsupported startup parameter";

    private static final String CHANGED_PLAN = "RevalidateCachedQuery";

    private PoolerErrors() {}

    /**
     * Whether the error says that the statement ran in a session which is not the client's. Each SQLSTATE has ordinary causes too,
     * so what the error says besides decides: 42P05, 26000 and 08P01 count where they are of a statement that the driver named
     * (SQL that prepares for itself uses other names; "query_wait_timeout" is a pooler's 08P01). 0A000 counts on shared sessions
     * only, and there where it is of a plan that changed, or without the place in the source that every PostgreSQL sends.
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

    /** The one line that ends a run. */
    public static String words(SQLException e) {
        return "a transaction pooler ran a client's statement in another client's session (" + ServerErrors.stateOf(e)
                + ": " + ServerErrors.sampleOf(e) + "); " + ADVICE;
    }

    /** Whether a pooler refused the startup options of a connection. */
    public static boolean refusesOptions(SQLException e) {
        ServerErrorMessage sent = ServerErrors.sentBy(e);
        String message = sent == null ? null : sent.getMessage();
        return message != null && message.contains(REFUSED_PARAMETER) && message.contains("options");
    }
}
