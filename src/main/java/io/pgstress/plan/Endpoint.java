package io.pgstress.plan;

import io.pgstress.text.Secrets;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server to connect to.
 *
 * @param url a JDBC URL of the PostgreSQL driver, or such a URL with the directory of a Unix socket as the host; it may contain a
 *     password, so print {@link #masked} instead
 * @param clients number of clients that connect to it; 0: an even share
 */
public record Endpoint(String url, int clients) {
    private static final Pattern AUTHORITY = Pattern.compile("(jdbc:postgresql://)([^/?@]*@)?([^/?]*)(.*)");
    private static final Pattern PORT = Pattern.compile(":(\\d+)$");
    private static final String ENCODED_SLASH = "%2F";
    private static final Pattern USER_INFO = Pattern.compile("//[^?]*@");

    /**
     * The server at this URL, with an even share of the clients.
     *
     * @throws IllegalArgumentException if the URL cannot be used; the message contains no secret
     */
    public static Endpoint parse(String url) {
        Endpoint endpoint = EndpointReader.url(url);
        if (endpoint.clients > 0) {
            throw new IllegalArgumentException("must not have clients=, because this command has no clients");
        }
        return endpoint;
    }

    /** The URL without its secrets. */
    public String masked() {
        return Secrets.masked(url);
    }

    /** The URL in a form that may be saved in a file: without the password and without a user before the host. */
    public String withoutSecrets() {
        return USER_INFO
                .matcher(url)
                .replaceAll("//")
                .replaceAll("(?i)([?&])(ssl)?password=[^&]*&?", "$1")
                .replaceAll("[?&]$", "");
    }

    /**
     * The file of the Unix socket to connect to; empty: the URL names a host. As in libpq's URLs, the host is then the file's
     * directory, percent-encoded, and the port is part of the file's name.
     */
    public String socketFile() {
        String directory = PORT.matcher(firstHost()).replaceFirst("");
        return directory.regionMatches(true, 0, ENCODED_SLASH, 0, ENCODED_SLASH.length())
                ? URLDecoder.decode(directory.replace("+", "%2B"), StandardCharsets.UTF_8) + "/.s.PGSQL." + port()
                : "";
    }

    /** Whether {@link #socketFile} is to be used. */
    public boolean isUnixSocket() {
        return !socketFile().isEmpty();
    }

    /** A copy that connects through the Unix socket in this directory. */
    Endpoint inDirectory(String directory, int port) {
        return exactlyAt(URLEncoder.encode(directory, StandardCharsets.UTF_8).replace("+", "%20"), port);
    }

    /** The URL for the driver, which knows no Unix sockets: they are given to it. */
    public String driverUrl() {
        return isUnixSocket() ? exactlyAt("localhost", port()).url() : url;
    }

    /** With its port, as the URL names it; empty if it does not. */
    String firstHost() {
        Matcher m = AUTHORITY.matcher(url);
        return m.matches() ? m.group(3).split(",", -1)[0] : "";
    }

    /** The URL's first host; {@code localhost} if it names none, or a Unix socket. */
    public String host() {
        if (isUnixSocket()) {
            return "localhost";
        }
        String first = firstHost();
        String host = first.startsWith("[") ? first.replaceFirst("].*", "]") : first.replaceFirst(":.*", "");
        return host.isEmpty() ? "localhost" : host;
    }

    /** The URL's first port; 5432 if it names none. */
    public int port() {
        Matcher port = PORT.matcher(firstHost());
        return port.find() ? Integer.parseInt(port.group(1)) : 5432;
    }

    /** Whether both name the same server, judging by the URLs alone. */
    public boolean isSameServer(Endpoint other) {
        return port() == other.port() && (host().equals(other.host()) || (isLocal() && other.isLocal()));
    }

    /** Whether the host is a name or an address of the loopback interface, or a Unix socket. */
    public boolean isLocal() {
        return isLoopback(host());
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]") || host.equals("::1");
    }

    /**
     * A copy with this database, role and options on another server. A loopback address in a cluster's catalog means the host of the
     * queried node, so it is replaced with this endpoint's host.
     */
    public Endpoint at(String host, int port) {
        return exactlyAt(isLoopback(host) && !isLocal() ? host() : host, port);
    }

    /** Each host of the URL as a server of its own; this endpoint alone if it has one. */
    public List<Endpoint> eachHost() {
        Matcher m = AUTHORITY.matcher(url);
        String[] hosts = m.matches() ? m.group(3).split(",", -1) : new String[0];
        return hosts.length < 2
                ? List.of(this)
                : Arrays.stream(hosts)
                        .map(host -> new Endpoint(
                                m.group(1) + (m.group(2) == null ? "" : m.group(2)) + host + m.group(4), 0))
                        .toList();
    }

    /** A copy with another database. */
    public Endpoint inDatabase(String database) {
        Matcher m = AUTHORITY.matcher(url);
        if (!m.matches()) {
            return exactlyAt(host(), port()).inDatabase(database);
        }
        int parameters = m.group(4).indexOf('?');
        return new Endpoint(
                url.substring(0, m.start(4)) + "/" + database
                        + (parameters < 0 ? "" : m.group(4).substring(parameters)),
                0);
    }

    /** A copy with another server. */
    Endpoint exactlyAt(String name, int port) {
        Matcher m = AUTHORITY.matcher(url);
        if (m.matches()) {
            return new Endpoint(
                    m.group(1) + (m.group(2) == null ? "" : m.group(2)) + name + ":" + port + m.group(4), 0);
        }
        String rest = url.replaceFirst("^jdbc:postgresql:/*", "");
        return new Endpoint("jdbc:postgresql://" + name + ":" + port + "/" + rest, 0);
    }

    @Override
    public String toString() {
        return masked() + (clients > 0 ? ",clients=" + clients : "");
    }
}
