package io.pgstress.target.driver;

import java.net.BindException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A failure to connect because this machine has no free port towards the server. The side that closes a TCP connection keeps its
 * port for a minute (TIME_WAIT; RFC 9293, section 3.6.1), and Linux has 28,232 ports for connections to one address by default.
 */
final class LocalPorts {
    /** The SQLSTATE of these failures. One of class 08 would say that the server was unavailable. */
    static final String STATE = "PORTS";

    private LocalPorts() {}

    /** The same error with a message that names the cause, if it is this one; the driver's own does not. */
    static SQLException explained(SQLException e, String server) {
        return isUsedUp(e)
                ? new SQLException(
                        "no local port is free for a connection to " + server
                                + ": the ports of closed connections stay in use for a minute; set"
                                + " net.ipv4.tcp_tw_reuse=1, widen net.ipv4.ip_local_port_range, or use a Unix socket",
                        STATE,
                        e)
                : e;
    }

    /** The JDK's name of EADDRNOTAVAIL, which it also has for an address that is not this machine's. */
    private static boolean isUsedUp(SQLException e) {
        Throwable cause = e;
        while (cause != null && !(cause instanceof BindException)) {
            cause = cause.getCause();
        }
        return cause != null && words(cause.getMessage()).contains("assign requested address");
    }

    private static String words(@Nullable String message) {
        return message == null ? "" : message;
    }
}
