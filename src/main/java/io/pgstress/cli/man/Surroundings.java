package io.pgstress.cli.man;

import io.pgstress.plan.server.ServerEnvironment;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The environment variables and files that a command uses. */
final class Surroundings {
    /** A variable or file, and what it is for. */
    record Entry(String name, String description) {}

    private static final List<Entry> OF_ALL = List.of(
            new Entry("JAVA_HOME", "The JDK that runs the command. Default: the newest that is found."),
            new Entry("STRESS_JAVA_OPTS", "Options of the JVM, such as -Xmx4g."),
            new Entry("STRESS_AOT", "off: neither makes nor uses the start-up cache."),
            new Entry(
                    "PGSTRESS_HOME",
                    "Directory of the user's data, instead of pgstress in $XDG_DATA_HOME or ~/.local/share."),
            new Entry("XDG_CACHE_HOME", "Directory of the user's caches. Default: ~/.cache."));

    private static final List<Entry> OF_CONNECTIONS = List.of(
            new Entry(
                    "PGHOST, PGPORT, PGDATABASE, PGUSER",
                    "The server, database and role, as for psql; for a URL of the JDBC driver, only PGUSER. PGHOST, PGHOSTADDR"
                            + " or PGSERVICE selects a server even if no option does. The other variables of libpq that"
                            + " apply: " + others() + "."),
            new Entry("PGPASSWORD", "The role's password."),
            new Entry("PGPASSFILE", "The password file. Default: ~/.pgpass."));

    private static final Entry TLS =
            new Entry("PGSTRESS_TLS_PASSWORD", "The password of the stores of --tls-keystore and --tls-truststore.");

    private static final List<Entry> FILES = List.of(
            new Entry(
                    "~/.local/share/pgstress",
                    "The user's data: the embedded server, saved results, and what an interrupted command needs to"
                            + " continue or to restore settings."),
            new Entry("~/.cache/pgstress", "The start-up cache."));

    private static final Entry PASSWORDS =
            new Entry("~/.pgpass", "Passwords, as for psql. It is ignored if others may read it.");

    private Surroundings() {}

    private static String others() {
        List<String> named = List.of("PGHOST", "PGPORT", "PGDATABASE", "PGUSER");
        return ServerEnvironment.known().stream()
                .filter(variable -> !named.contains(variable))
                .collect(Collectors.joining(", "));
    }

    static List<Entry> environment(CommandSpec spec) {
        return Stream.of(
                        connects(spec) ? OF_CONNECTIONS : List.<Entry>of(),
                        spec.findOption("--tls-keystore") == null ? List.<Entry>of() : List.of(TLS),
                        OF_ALL)
                .flatMap(List::stream)
                .toList();
    }

    static List<Entry> files(CommandSpec spec) {
        return Stream.concat(connects(spec) ? Stream.of(PASSWORDS) : Stream.of(), FILES.stream())
                .toList();
    }

    private static boolean connects(CommandSpec spec) {
        return spec.findOption("--url") != null || spec.name().equals("settings");
    }
}
