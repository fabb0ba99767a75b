package io.pgstress.target.driver;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What an exception of the driver says about the session it came from. */
public final class ServerErrors {
    /** How the JDK says it, whose exception is that of an answer that did not come. */
    private static final String NO_CONNECTION = "connect timed out";

    private ServerErrors() {}

    /**
     * Whether the server itself sent the error and goes on serving the session. Citus reports a lost worker as 08006 and
     * Postgres-XL a failed COPY as 08000 on sessions that are alive, so the SQLSTATE alone does not tell.
     */
    public static boolean sessionIsAlive(@Nullable Throwable e) {
        if (!(e instanceof PSQLException sent) || sent.getServerErrorMessage() == null) {
            return false;
        }
        ServerErrorMessage message = sent.getServerErrorMessage();
        String severity = message == null ? null : message.getSeverity();
        return severity != null && severity.equals("ERROR");
    }

    /** Whether the server did not answer within the time that the connection was to wait. */
    public static boolean isTimeout(Throwable e) {
        Throwable cause = e;
        while (cause != null && !(cause instanceof SocketTimeoutException || cause instanceof SQLTimeoutException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    /** Whether there was not even a connection in time, as behind a firewall: nothing is said of the server itself. */
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
        String state = e.getSQLState();
        return state == null || state.isEmpty() ? "client" : state;
    }

    /** The message on one line, without the server's detail, where parameters may stand. */
    public static String sampleOf(SQLException e) {
        String message = null;
        if (e instanceof PSQLException sent && sent.getServerErrorMessage() != null) {
            message = sent.getServerErrorMessage().getMessage();
        }
        message = message == null ? String.valueOf(e.getMessage()) : message;
        return message.replaceAll("\\s+", " ").trim();
    }
}
