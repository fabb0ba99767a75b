package io.pgstress.plan.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What libpq takes from a process for what a command line leaves out.
 *
 * @param variables the environment
 * @param osUser the name of the operating system's user, the default role
 */
public record ServerEnvironment(Map<String, String> variables, String osUser) {
    /** Where servers put their sockets by default: Debian's and Red Hat's, PostgreSQL's own. */
    private static final List<String> SOCKET_DIRECTORIES = List.of("/var/run/postgresql", "/tmp");

    /** Those that select a server. */
    private static final List<String> SELECTING = List.of("PGHOST", "PGHOSTADDR", "PGSERVICE");

    private static final List<String> NOT_SELECTING = List.of("PGPORT", "PGDATABASE", "PGUSER");

    public ServerEnvironment {
        variables = Map.copyOf(variables);
    }

    /** That of this process. */
    public static ServerEnvironment own() {
        return new ServerEnvironment(System.getenv(), System.getProperty("user.name"));
    }

    /** The variables of libpq that apply to servers, but for those of passwords. */
    public static List<String> known() {
        List<String> variables = new ArrayList<>();
        for (LibpqParameter parameter : LibpqParameters.all()) {
            if (!parameter.variable().isEmpty() && parameter.objection().isEmpty()) {
                variables.add(parameter.variable());
            }
        }
        return variables;
    }

    private boolean isSet(String variable) {
        return !get(variable).isEmpty();
    }

    /** The variable that selects a server, even if the command line names none; an empty string: there is none. */
    String selectsServer() {
        return SELECTING.stream().filter(this::isSet).findFirst().orElse("");
    }

    /** The variables that would apply to a server, although none is named; an empty string: there are none. */
    String withoutServer() {
        return NOT_SELECTING.stream().filter(this::isSet).collect(Collectors.joining(", "));
    }

    String get(String variable) {
        return variables.getOrDefault(variable, "");
    }

    /**
     * The values of all variables, by libpq's keywords.
     *
     * @throws IllegalArgumentException if one of them cannot be used
     */
    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        for (LibpqParameter parameter : LibpqParameters.all()) {
            String variable = parameter.variable();
            if (!variable.isEmpty() && isSet(variable)) {
                parameter.objection().ifPresent(objection -> {
                    throw new IllegalArgumentException(
                            variable + " is set, but " + objection.replace("leave it out", "unset it"));
                });
                values.put(parameter.keyword(), get(variable));
            }
        }
        return values;
    }

    /** The directory of a server's socket with this port, or {@code localhost} if there is none. */
    String defaultHost(String port) {
        return Stream.concat(SOCKET_DIRECTORIES.stream(), Stream.of("localhost"))
                .filter(host -> !host.startsWith("/") || Files.exists(Path.of(host, ".s.PGSQL." + port)))
                .findFirst()
                .orElseThrow();
    }
}
