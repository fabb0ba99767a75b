package io.pgstress.target.driver;

import java.net.SocketTimeoutException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

/** Interprets the driver's exceptions: what they say about the session. */
public final class ServerErrors {
    /** The JDK's message for a connection attempt without an answer. */
    private static final String NO_CONNECTION = "connect timed out";

    /**
     * SQLSTATEs of FATAL errors: ends by an administrator, a crash, a start or stop, a dropped database, time limits of sessions
     * (57P01 to 57P05, 25P03, 25P04), too many clients, protocol violations, refused roles and databases (PostgreSQL's manual,
     * appendix A).
     */
    private static final Set<String> ENDS_SESSIONS = Set.of(
            "57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04", "53300", "08P01", "28000", "28P01", "3D000");

    /** Ends and starts of servers. */
    private static final Set<String> LOST = Set.of("57P01", "57P02", "57P03");

    private static final Pattern ADDRESS = Pattern.compile("(?:^|[\\s@\"'(])([\\w-][\\w.-]*:\\d{2,5})(?![\\w:])");

    /** The number of a node. Numbers of other things can be equal to one. */
    private static final Pattern NODE = Pattern.compile("(?<=\\bnode )\\d+\\b");

    private ServerErrors() {}

    /**
     * Whether the server itself sent the error and the session continues. Citus reports a lost worker as 08006 and
     * Postgres-XL a failed COPY as 08000 on live sessions, so the SQLSTATE alone is not enough. The severity is, unless the
     * server translates it ({@code lc_messages}); pgjdbc hides the one that is never translated.
     */
    public static boolean sessionIsAlive(@Nullable Throwable e) {
        ServerErrorMessage message = sentBy(e);
        String severity = message == null ? null : message.getSeverity();
        if (message == null || severity == null) {
            return false;
        }
        return switch (severity) {
            case "ERROR" -> true;
            case "FATAL", "PANIC" -> false;
            default -> !ENDS_SESSIONS.contains(String.valueOf(message.getSQLState()));
        };
    }

    /** Whether the server itself sent the error, so it did answer. */
    public static boolean isAnswer(Throwable e) {
        return sentBy(e) != null;
    }

    static @Nullable ServerErrorMessage sentBy(@Nullable Throwable e) {
        return unwrapped(e) instanceof PSQLException sent ? sent.getServerErrorMessage() : null;
    }

    /**
     * The cause, for a failed batch, as the driver's message quotes the statement and its values, for an "unusual" error, as the
     * driver's own message does not name the cause, and for a {@link RefusedQuery}.
     */
    private static @Nullable Throwable unwrapped(@Nullable Throwable e) {
        Throwable failed = e;
        while (failed instanceof SQLException && failed.getCause() != null && hidesCause((SQLException) failed)) {
            failed = failed.getCause();
        }
        return failed;
    }

    private static boolean hidesCause(SQLException e) {
        return (e instanceof BatchUpdateException || e instanceof RefusedQuery)
                ? e.getCause() instanceof SQLException
                : PSQLState.UNEXPECTED_ERROR.getState().equals(e.getSQLState());
    }

    /** Whether the server did not answer within the connection's time limit. */
    public static boolean isTimeout(Throwable e) {
        return cause(e, SocketTimeoutException.class) != null || cause(e, SQLTimeoutException.class) != null;
    }

    /** The first cause of this kind, which may be the exception itself; null if there is none. */
    static <T extends Throwable> @Nullable T cause(Throwable e, Class<T> kind) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return kind.cast(cause);
            }
        }
        return null;
    }

    /** The exception's own message on one line. */
    public static String messageOf(Throwable e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }

    /** Whether the connection could not be made in time, as behind a firewall, so nothing is known about the server. */
    public static boolean isUnreached(Throwable e) {
        Throwable cause = e;
        while (cause != null
                && !String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains(NO_CONNECTION)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    /** The SQLSTATE; {@code client} for an exception without one, which did not come from the server. */
    public static String stateOf(SQLException e) {
        String state = unwrapped(e) instanceof SQLException failed ? failed.getSQLState() : e.getSQLState();
        return state == null || state.isEmpty() ? "client" : state;
    }

    /** The message on one line, without the server's detail, which may contain parameters; with the query if it was refused. */
    public static String sampleOf(SQLException e) {
        ServerErrorMessage sent = e instanceof RefusedQuery ? null : sentBy(e);
        String message = sent == null ? null : sent.getMessage();
        message = message == null ? words(e instanceof RefusedQuery ? e : unwrapped(e)) : message;
        return message.replaceAll("\\s+", " ").trim();
    }

    /**
     * A message with the names of a cluster's nodes.
     *
     * @param names by the numbers of nodes; other numbers stay
     */
    public static String withNodes(String message, Map<String, String> names) {
        return names.isEmpty()
                ? message
                : NODE.matcher(message)
                        .replaceAll(
                                found -> Matcher.quoteReplacement(names.getOrDefault(found.group(), found.group())));
    }

    /** The {@linkplain #sampleOf message} and the SQLSTATE, for people. */
    public static String sampleWithState(SQLException e) {
        return sampleOf(e) + " (SQLSTATE " + stateOf(e) + ")";
    }

    /** The message; for exceptions that are not the driver's with their class, as "Connection reset" alone is unclear. */
    private static String words(@Nullable Throwable failed) {
        if (failed == null || failed instanceof SQLException) {
            return String.valueOf(failed == null ? null : failed.getMessage());
        }
        return failed.getMessage() == null
                ? failed.getClass().getSimpleName()
                : failed.getClass().getSimpleName() + ": " + failed.getMessage();
    }

    /** Whether a key exists already: SQLSTATE unique_violation. */
    public static boolean isDuplicateKey(SQLException e) {
        return "23505".equals(e.getSQLState());
    }

    /** Whether the SQLSTATE says that the connection itself is lost. */
    public static boolean isConnectionLost(SQLException e) {
        String state = e.getSQLState();
        return PSQLState.isConnectionError(state) || LOST.contains(String.valueOf(state));
    }

    /** Whether the SQLSTATE is that of a connection, the client's own or, on a session that continues, one to another server. */
    public static boolean isConnectionState(String state) {
        return state.startsWith("08") || LOST.contains(state);
    }

    /**
     * The addresses of other servers in a message, as {@code host:port}. Citus names the worker so: {@code connection to the remote node
     * postgres@10.0.0.2:5432 failed}.
     */
    public static Set<String> addressesIn(String message) {
        return ADDRESS.matcher(message)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** An error that a server returned for a query of its catalog, with the query. The session continues. */
    public static final class RefusedQuery extends SQLException {
        private static final long serialVersionUID = 1;

        /** @param cause what the server returned */
        public RefusedQuery(String sql, SQLException cause) {
            super(
                    ServerErrors.sampleOf(cause) + "; the query was: "
                            + sql.replaceAll("\\s+", " ").trim(),
                    cause.getSQLState(),
                    cause);
        }
    }
}
