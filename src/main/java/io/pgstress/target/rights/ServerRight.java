package io.pgstress.target.rights;

import io.pgstress.plan.sql.Quoting;

/** A right that a superuser may grant to a role so that it can observe a server. */
public enum ServerRight {
    /** Reads the files of {@code /proc}. Before PostgreSQL 11, the role does not exist, and only superusers can read them. */
    READ_FILES(
            "CPU, disks and network of the machine of %s",
            11,
            "grant pg_read_server_files to ROLE;"
                    + " grant execute on function pg_read_file(text, bigint, bigint, boolean) to ROLE"),

    /** Reads what other roles do, such as vacuums, and all settings. Before PostgreSQL 10, only superusers can. */
    MONITOR("running vacuums, and settings for superusers, of %s", 10, "grant pg_monitor to ROLE");

    private final String figures;
    private final int since;
    private final String grants;

    ServerRight(String figures, int since, String grants) {
        this.figures = figures;
        this.since = since;
        this.grants = grants;
    }

    /**
     * Which figures are unavailable without it, and what to run.
     *
     * @param version the server's major version
     * @return with one {@code %s} for the names of the servers
     */
    public String note(String role, int version) {
        return figures
                + (version < since
                        ? ": requires a superuser, before PostgreSQL " + since
                        : ": an administrator must run: " + grants.replace("ROLE", Quoting.identifier(role)));
    }
}
