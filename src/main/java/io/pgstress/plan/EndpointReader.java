package io.pgstress.plan;

import io.pgstress.plan.option.Options;
import io.pgstress.plan.server.Hosts;
import io.pgstress.text.Secrets;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Reads the servers from {@code --url}, each with its number of clients, and {@code --hosts}. */
final class EndpointReader {
    private static final int DEFAULT_PORT = 5432;

    /** Driver parameters that a URL must not set, each with the reason. */
    private static final Map<String, String> INSTEAD = Map.of(
            "prepareThreshold", "--statement decides it",
            "preferQueryMode", "--query-mode decides it",
            "defaultRowFetchSize", "--fetch-size decides it",
            "socketFactory", "the run needs its own to count bytes",
            "socketFactoryArg", "the run needs its own to count bytes");

    private static final Pattern OF_THE_RUN = Pattern.compile(
            "[?&](prepareThreshold|preferQueryMode|defaultRowFetchSize|socketFactory|socketFactoryArg)=");

    private static final Pattern HOST = Pattern.compile("[?&]host=([^&]*)");
    private static final Pattern PORT = Pattern.compile("[?&]port=(\\d+)");
    private static final Pattern NEEDS_TLS = Pattern.compile("[?&](sslmode=(require|verify)|ssl=true|ssl(&|$))");

    private EndpointReader() {}

    /** The servers, each with its number of clients as far as the options set it; if there are none, the embedded server is used. */
    static List<Endpoint> endpoints(Options options) {
        List<Endpoint> servers = servers(options);
        List<Integer> clients = options.get(RunOptions.CLIENTS_PER_SERVER);
        if (clients.isEmpty()) {
            return servers;
        }
        return IntStream.range(0, servers.size())
                .mapToObj(i -> new Endpoint(servers.get(i).url(), clients.get(Math.min(i, clients.size() - 1))))
                .toList();
    }

    /**
     * The endpoints of {@code --hosts}, each with the database and options of {@code --url}; without {@code --hosts}, those of
     * {@code --url}.
     */
    private static List<Endpoint> servers(Options options) {
        List<Endpoint> named = options.get(RunOptions.URL);
        List<String> hosts = options.get(RunOptions.HOSTS);
        Endpoint like = named.isEmpty() ? new Endpoint("jdbc:postgresql://localhost/", 0) : named.get(0);
        return hosts.isEmpty()
                ? named
                : hosts.stream().map(host -> at(like, host)).toList();
    }

    /**
     * Reads {@code HOST:PORT,...}; a port may be missing, and a host may be the directory of a Unix socket.
     *
     * @throws IllegalArgumentException if it has another form
     */
    static List<String> hosts(String text) {
        List<String> hosts = text.isEmpty() ? List.of() : List.of(text.split(",", -1));
        for (String host : hosts) {
            try {
                Endpoint unused = at(new Endpoint("jdbc:postgresql://localhost/", 0), host);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("must be HOST:PORT,..., was '" + Secrets.masked(host) + "'", e);
            }
        }
        return hosts;
    }

    private static Endpoint at(Endpoint like, String host) {
        boolean isAddress = host.indexOf(':') != host.lastIndexOf(':') && !host.contains("]");
        if (isAddress) { // of IPv6, without a port
            return like.exactlyAt("[" + host.trim() + "]", DEFAULT_PORT);
        }
        int colon = host.indexOf(':', host.indexOf(']') + 1);
        int port = colon < 0
                ? DEFAULT_PORT
                : Integer.parseInt(host.substring(colon + 1).trim());
        String name = (colon < 0 ? host : host.substring(0, colon)).trim();
        if (name.isEmpty() || port < 1 || port > 65_535) {
            throw new NumberFormatException();
        }
        return name.startsWith("/") ? socket(like.inDirectory(name, port)) : like.exactlyAt(name, port);
    }

    /**
     * The endpoint, if it can be used: a Unix socket must have a name that fits, and carries no TLS.
     *
     * @throws IllegalArgumentException otherwise
     */
    private static Endpoint socket(Endpoint endpoint) {
        String file = endpoint.socketFile();
        Hosts.checkSocket(file);
        if (!file.isEmpty() && NEEDS_TLS.matcher(endpoint.url()).find()) {
            throw new IllegalArgumentException("TLS is not used over a Unix socket: leave out ssl and sslmode");
        }
        if (!file.isEmpty() && endpoint.url().matches("[^/]*//[^/?]*,.*")) {
            throw new IllegalArgumentException("a Unix socket cannot be one of several hosts of a URL: repeat --url");
        }
        return endpoint;
    }

    /** Moves libpq's parameters {@code host} and {@code port} to their place, for a directory of Unix sockets. */
    private static Endpoint placed(Endpoint endpoint) {
        Matcher host = HOST.matcher(endpoint.url());
        if (!host.find()) {
            return endpoint;
        }
        String directory = URLDecoder.decode(host.group(1), StandardCharsets.UTF_8);
        if (!directory.startsWith("/") || !endpoint.firstHost().isEmpty()) {
            throw new IllegalArgumentException("host= must be the directory of a Unix socket, without another host;"
                    + " otherwise write jdbc:postgresql://HOST:PORT/DATABASE");
        }
        Matcher port = PORT.matcher(endpoint.url());
        int number = port.find() ? Integer.parseInt(port.group(1)) : DEFAULT_PORT;
        String rest =
                endpoint.url().replaceAll("(?<=[?&])(host|port)=[^&]*&?", "").replaceFirst("[?&]$", "");
        return new Endpoint(rest, endpoint.clients()).inDirectory(directory, number);
    }

    /**
     * Reads {@code JDBC_URL[,clients=N]}.
     *
     * @throws IllegalArgumentException if it cannot be used; the message contains no secret
     */
    static Endpoint url(String text) {
        int comma = text.lastIndexOf(",clients=");
        String url = comma < 0 ? text : text.substring(0, comma);
        int clients = comma < 0 ? 0 : clients(text, comma + ",clients=".length());
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "must begin with jdbc:postgresql: or postgresql://, was '" + Secrets.masked(url) + "'");
        }
        int parameters = url.indexOf('?') < 0 ? url.length() : url.indexOf('?');
        if (url.lastIndexOf('@', parameters) >= 0) {
            throw new IllegalArgumentException("a jdbc:postgresql: URL has no role before its hosts: write"
                    + " jdbc:postgresql://HOST/DATABASE?user=USER or postgresql://USER@HOST/DATABASE, and percent-encode"
                    + " every other '@' as %40");
        }
        Matcher ours = OF_THE_RUN.matcher(url);
        if (ours.find()) {
            throw new IllegalArgumentException(
                    "must not have the parameter " + ours.group(1) + ": " + INSTEAD.get(ours.group(1)));
        }
        // the driver decodes it, and nothing after an '@' can be taken for the host
        String plain = url.substring(0, parameters) + url.substring(parameters).replace("@", "%40");
        Endpoint endpoint = socket(placed(new Endpoint(plain, 0)));
        return new Endpoint(endpoint.url(), clients);
    }

    private static int clients(String text, int from) {
        try {
            int clients = Integer.parseInt(text.substring(from));
            if (clients >= 1) {
                return clients;
            }
        } catch (NumberFormatException e) {
            // reported below, with the numbers out of range
        }
        throw new IllegalArgumentException(
                "clients= must be a whole number of at least 1 in '" + Secrets.masked(text) + "'");
    }
}
