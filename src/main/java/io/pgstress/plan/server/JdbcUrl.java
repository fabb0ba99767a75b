package io.pgstress.plan.server;

import io.pgstress.plan.server.LibpqParameters.LibpqParameter;
import io.pgstress.text.Secrets;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes URLs of the driver. A Unix socket's directory is percent-encoded in the place of the host. */
final class JdbcUrl {
    private static final String DEFAULT_PORT = "5432";
    private static final int MAX_PORT = 65_535;

    /** What the JVM calls a user whose number has no name, as in a container. */
    private static final String NO_NAME = "?";

    private JdbcUrl() {}

    /**
     * The URL for these parameters.
     *
     * @throws IllegalArgumentException if one of them cannot be used
     */
    static String of(Conninfo complete, ServerEnvironment environment) {
        List<String> hosts = hosts(complete, environment);
        boolean isSocket = hosts.stream().anyMatch(host -> host.startsWith("/"));
        if (isSocket && hosts.size() > 1) {
            throw new IllegalArgumentException("a Unix socket cannot be one of several hosts of a URL: repeat --url");
        }
        String user = complete.get("user").isEmpty() ? environment.osUser() : complete.get("user");
        if (user.equals(NO_NAME)) {
            throw new IllegalArgumentException(
                    "the role must be named (--user or PGUSER): the operating system has no name for this user");
        }
        String database = complete.get("dbname").isEmpty() ? user : complete.get("dbname");
        StringJoiner parameters = new StringJoiner("&", "?", "").add("user=" + encoded(user));
        for (LibpqParameter parameter : LibpqParameters.all()) {
            String keyword = parameter.keyword();
            String value = complete.get(keyword);
            // as libpq, which ignores them for Unix sockets
            boolean isUnused = isSocket && (keyword.startsWith("ssl") || keyword.equals("gssencmode"));
            if (!value.isEmpty() && !keyword.equals("user") && !isUnused) {
                String drivers = parameter.driversValue(value);
                if (!parameter.property().isEmpty()) {
                    parameters.add(parameter.property() + "=" + encoded(drivers));
                }
            }
        }
        return "jdbc:postgresql://" + authority(hosts, ports(complete.get("port"), hosts.size())) + "/"
                + encoded(database) + parameters;
    }

    private static List<String> hosts(Conninfo complete, ServerEnvironment environment) {
        String address = complete.get("hostaddr");
        if (!address.isEmpty()
                && !complete.get("host").isEmpty()
                && complete.get("sslmode").equals("verify-full")) {
            throw new IllegalArgumentException(
                    "hostaddr beside host cannot be used with sslmode=verify-full: the driver"
                            + " checks the name that it connects to; leave hostaddr out");
        }
        List<String> hosts = new ArrayList<>();
        String[] given = (address.isEmpty() ? complete.get("host") : address).split(",", -1);
        List<String> ports = ports(complete.get("port"), given.length);
        for (int i = 0; i < given.length; i++) {
            String host = given[i].trim();
            if (host.startsWith("@")) {
                throw new IllegalArgumentException(
                        "abstract Unix sockets (" + Secrets.masked(host) + ") cannot be used; name a directory");
            }
            hosts.add(host.isEmpty() ? environment.defaultHost(ports.get(i)) : host);
        }
        return hosts;
    }

    /** A port for each host. */
    static List<String> ports(String text, int hosts) {
        String[] given = text.split(",", -1);
        if (given.length != 1 && given.length != hosts) {
            throw new IllegalArgumentException(
                    "port has " + given.length + " numbers, but host has " + hosts + (hosts == 1 ? " name" : " names"));
        }
        List<String> ports = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            ports.add(port(given[given.length == 1 ? 0 : i].trim()));
        }
        return ports;
    }

    private static String port(String text) {
        if (text.isEmpty()) {
            return DEFAULT_PORT;
        }
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MAX_PORT) {
            // what is no number may be a part of a password
            throw new IllegalArgumentException("port must be a number from 1 to " + MAX_PORT
                    + (text.matches("\\d+") ? ", was '" + text + "'" : ""));
        }
        return Integer.toString(Integer.parseInt(text));
    }

    static String authority(List<String> hosts, List<String> ports) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            String host = hosts.get(i);
            Hosts.check(host, ports.get(i));
            String written = host.startsWith("/") ? encoded(host) : host.contains(":") ? "[" + host + "]" : host;
            all.add(written + ":" + ports.get(i));
        }
        return String.join(",", all);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * The parts of a JDBC URL, as it writes them.
     *
     * @param authority hosts with their ports
     * @param parameters {@code name=value}
     */
    record JdbcParts(String authority, String database, List<String> parameters) {
        private static final Pattern PARTS =
                Pattern.compile("jdbc:postgresql:(?://([^/?]*)/?)?/*([^?]*)(?:\\?(.*))?", Pattern.DOTALL);

        private static final Pattern PORT = Pattern.compile(":(\\d+)$");

        /**
         * A JDBC URL with other parts; any other text remains as it is.
         *
         * @param others the new {@code host}, {@code port}, {@code dbname} and {@code user}, as far as they differ; a user is
         *     replaced, but not added
         * @throws IllegalArgumentException if one of them cannot be used
         */
        static String replaced(String url, Map<String, String> others) {
            Matcher m = PARTS.matcher(url);
            if (!m.matches()) {
                return url; // whoever reads it reports that
            }
            String parameters = m.group(3);
            JdbcParts parts = new JdbcParts(
                    m.group(1) == null ? "" : m.group(1),
                    m.group(2),
                    parameters == null || parameters.isEmpty() ? List.of() : List.of(parameters.split("&", -1)));
            return parts.at(others.getOrDefault("host", ""), others.getOrDefault("port", ""))
                    .of(others.getOrDefault("dbname", ""), others.getOrDefault("user", ""))
                    .written();
        }

        private JdbcParts at(String host, String port) {
            if (host.isEmpty()) {
                return port.isEmpty() ? this : atPort(port);
            }
            Matcher own = PORT.matcher(authority);
            boolean keeps = port.isEmpty() && !authority.contains(",") && own.find();
            List<String> hosts = List.of(host.split(",", -1));
            List<String> ports = JdbcUrl.ports(keeps ? own.group(1) : port, hosts.size());
            return new JdbcParts(
                    JdbcUrl.authority(hosts, ports), database, without("host", without("port", parameters)));
        }

        private JdbcParts atPort(String port) {
            String number = JdbcUrl.ports(port, 1).get(0);
            if (parameters.stream().anyMatch(p -> p.startsWith("host="))) {
                List<String> others = new ArrayList<>(without("port", parameters));
                others.add("port=" + number);
                return new JdbcParts(authority, database, others);
            }
            String hosts = List.of((authority.isEmpty() ? "localhost" : authority).split(",", -1)).stream()
                    .map(host -> PORT.matcher(host).replaceFirst("") + ":" + number)
                    .collect(Collectors.joining(","));
            return new JdbcParts(hosts, database, parameters);
        }

        private JdbcParts of(String otherDatabase, String user) {
            return new JdbcParts(
                    authority,
                    otherDatabase.isEmpty() ? database : JdbcUrl.encoded(otherDatabase),
                    parameters.stream()
                            .map(p -> p.startsWith("user=") && !user.isEmpty() ? "user=" + JdbcUrl.encoded(user) : p)
                            .toList());
        }

        private static List<String> without(String name, List<String> parameters) {
            return parameters.stream().filter(p -> !p.startsWith(name + "=")).toList();
        }

        private String written() {
            return "jdbc:postgresql://" + authority + "/" + database
                    + (parameters.isEmpty() ? "" : "?" + String.join("&", parameters));
        }
    }
}
