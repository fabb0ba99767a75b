package io.pgstress.plan.server;

import io.pgstress.plan.option.Forms;
import io.pgstress.plan.server.LibpqParameters.LibpqParameter;
import io.pgstress.text.TextFile;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                    throw new IllegalArgumentException(variable + " is set, but " + objection + "; unset it");
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

    /** Finds services in {@code pg_service.conf}, as libpq does (PostgreSQL's manual, 34.17). */
    static final class ServiceFile {
        /** Where Debian's and Red Hat's libpq look for the system's file. */
        private static final List<String> SYSTEM = List.of("/etc/postgresql-common", "/etc/sysconfig/pgsql", "/etc");

        private static final String NAME = "pg_service.conf";

        private ServiceFile() {}

        /**
         * The parameters of a service: of the user's file, or else of the system's.
         *
         * @param named the user's file; an empty string: {@code .pg_service.conf} in {@code HOME}
         * @throws IllegalArgumentException if no file has it, or a file is not valid
         */
        static Map<String, String> find(String service, String named, Map<String, String> environment) {
            List<Path> files = new ArrayList<>();
            String home = environment.getOrDefault("HOME", "");
            if (!named.isEmpty()) {
                files.add(Path.of(named));
                if (!Files.exists(files.get(0))) {
                    throw new IllegalArgumentException("service file " + named + " does not exist");
                }
            } else if (!home.isEmpty()) {
                files.add(Path.of(home, "." + NAME));
            }
            String system = environment.getOrDefault("PGSYSCONFDIR", "");
            (system.isEmpty() ? SYSTEM : List.of(system)).forEach(directory -> files.add(Path.of(directory, NAME)));
            return files.stream()
                    .filter(Files::exists)
                    .flatMap(file -> read(file, service).stream())
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("service '" + service + "' is not defined in "
                            + String.join(
                                    " or ",
                                    files.stream()
                                            .limit(system.isEmpty() ? 2 : files.size())
                                            .map(Path::toString)
                                            .toList())));
        }

        private static Optional<Map<String, String>> read(Path file, String service) {
            List<String> lines;
            try {
                lines = TextFile.read(file, TextFile.SMALL).lines().toList();
            } catch (MalformedInputException e) {
                throw new IllegalArgumentException("service file " + file + " is not UTF-8", e);
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "service file " + file + " cannot be read: " + Forms.unreadable(e), e);
            }
            Map<String, String> values = null;
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).trim();
                if (line.startsWith("[")) {
                    if (values != null) {
                        break;
                    }
                    values = line.equals("[" + service + "]") ? new LinkedHashMap<>() : null;
                } else if (values != null && !line.isEmpty() && !line.startsWith("#")) {
                    add(values, line, file + " line " + (i + 1) + ": ");
                }
            }
            return Optional.ofNullable(values);
        }

        private static void add(Map<String, String> values, String line, String where) {
            int equals = line.indexOf('=');
            String keyword = equals < 0 ? "" : line.substring(0, equals).trim();
            if (keyword.isEmpty() || keyword.startsWith("service")) {
                throw new IllegalArgumentException(where
                        + (keyword.isEmpty() ? "must be keyword=value" : "a service cannot refer to another service"));
            }
            try {
                values.putIfAbsent(
                        LibpqParameters.named(keyword).keyword(),
                        line.substring(equals + 1).trim());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(where + e.getMessage(), e);
            }
        }
    }
}
