package io.pgstress.plan.server;

import io.pgstress.text.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What a host must be, so that it can be connected to. */
public final class Hosts {
    /** The size of {@code sun_path} on Linux, without the end of the string. */
    private static final int MAX_SOCKET_BYTES = 107;

    /** Characters that would end the host in a URL. */
    private static final Pattern OF_URLS = Pattern.compile("[/?#&@\\\\\\s]");

    private Hosts() {}

    /** A host that is none. */
    static final class UnusableHost extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        UnusableHost(String message) {
            super(message);
        }
    }

    /**
     * Checks a host: a name, an address, or the directory of a Unix socket.
     *
     * @throws UnusableHost if it is neither
     */
    static void check(String host, String port) {
        if (host.startsWith("/")) {
            checkSocket(host + "/.s.PGSQL." + port);
        } else if (OF_URLS.matcher(host).find()) {
            throw new UnusableHost("a host must be a name, an address or the directory of a Unix socket, was '"
                    + Secrets.masked(host) + "'");
        }
    }

    /**
     * Checks that an address of a Unix socket can hold the name of its file.
     *
     * @throws IllegalArgumentException if it cannot
     */
    public static void checkSocket(String file) {
        int length = file.getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_SOCKET_BYTES) {
            throw new UnusableHost(
                    "the name of a Unix socket has at most " + MAX_SOCKET_BYTES + " bytes; " + file + " has " + length);
        }
    }
}
