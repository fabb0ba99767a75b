package io.pgstress.plan.server;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds services in {@code pg_service.conf}, as libpq does (PostgreSQL's manual, 34.17). */
final class ServiceFile {
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
            lines = Files.readAllLines(file);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException("service file " + file + " is not UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("service file " + file + " cannot be read: " + e.getMessage(), e);
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
