package io.pgstress.target.rights;

import io.pgstress.plan.TableName;
import java.util.List;
import java.util.stream.Collectors;

/** A right that a superuser may grant to a role so that it can observe a server. */
public enum ServerRight {
    /** Reads the files of {@code /proc}. Before PostgreSQL 11, the role does not exist, and only superusers can read them. */
    READ_FILES(
            "CPU, disks and network of the machine of %s",
            11,
            List.of("pg_read_server_files", "execute on function pg_read_file(text, bigint, bigint, boolean)")),

    /** Reads what other roles do, such as vacuums, and all settings. Before PostgreSQL 10, only superusers can. */
    MONITOR("running vacuums, and settings for superusers, of %s", 10, List.of("pg_monitor"));

    private final String figures;
    private final int since;
    private final List<String> granted;

    ServerRight(String figures, int since, List<String> granted) {
        this.figures = figures;
        this.since = since;
        this.granted = granted;
    }

    /**
     * Which figures are unavailable without it, and what to run.
     *
     * @param version the server's major version
     * @return with one {@code %s} for the names of the servers
     */
    public String note(String role, int version) {
        String to = " to " + TableName.quote(role);
        return figures
                + (version < since
                        ? ": requires a superuser, before PostgreSQL " + since
                        : ": a superuser must run: "
                                + granted.stream()
                                        .map(what -> "grant " + what + to)
                                        .collect(Collectors.joining("; ")));
    }
}
