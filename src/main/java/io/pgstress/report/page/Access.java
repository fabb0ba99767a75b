package io.pgstress.report.page;

import com.sun.net.httpserver.HttpExchange;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Whom the live page is served to. A page of another site may not read it: a name that the site's owner has pointed at this
 * machine (DNS rebinding) is refused by the request's {@code Host}.
 */
final class Access {
    private static final Pattern ADDRESS = Pattern.compile("\\[[0-9a-f:.%]+]|\\d+\\.\\d+\\.\\d+\\.\\d+");

    private final String host;

    /** @param host the name or address that the server listens on; empty: the loopback interface */
    Access(String host) {
        this.host = host.toLowerCase(Locale.ROOT);
    }

    /** Whether the request names this server by an address, as {@code localhost}, or by the name that it listens on. */
    boolean isAllowed(HttpExchange exchange) {
        String header = exchange.getRequestHeaders().getFirst("Host");
        String name = header == null ? "" : header.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "");
        return name.equals("localhost")
                || (!host.isEmpty() && name.equals(host))
                || ADDRESS.matcher(name).matches();
    }
}
