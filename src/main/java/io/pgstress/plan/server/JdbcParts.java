package io.pgstress.plan.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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
        return new JdbcParts(JdbcUrl.authority(hosts, ports), database, without("host", without("port", parameters)));
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
