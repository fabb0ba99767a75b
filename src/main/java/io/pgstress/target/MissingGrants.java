package io.pgstress.target;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The GRANT statements that a role lacks after the server refused it a table or schema. */
public final class MissingGrants {
    /** SQLSTATE {@code insufficient_privilege}. */
    public static final String INSUFFICIENT_PRIVILEGE = "42501";

    private MissingGrants() {}

    /**
     * A suffix for the message of a failure: what an owner must run; empty if the failure has another cause, or the catalog does
     * not show which grant is missing.
     *
     * @param connector connects as the role that was refused
     * @param table what the failed statement reads or creates a table beside
     */
    public static String words(Connector connector, SQLException failure, TableName table) {
        if (!INSUFFICIENT_PRIVILEGE.equals(ServerErrors.stateOf(failure))) {
            return "";
        }
        try (Connection lookup = connector.open(SessionPurpose.LOOKUP)) {
            return ControlSql.text(lookup, sql(ServerErrors.sampleOf(failure), table))
                    .map(grants -> "; its owner must run: " + grants)
                    .orElse("");
        } catch (SQLException e) {
            return "; which grant is missing could not be read: " + ServerErrors.sampleOf(e);
        }
    }

    /**
     * The server's message ends with the name of the schema; {@code right()} compares it without patterns. The table is found
     * without {@code to_regclass}, which itself fails without USAGE on the schema.
     */
    private static String sql(String message, TableName table) {
        return String.format(
                Locale.ROOT,
                """
                select string_agg(missing, '; ') from (
                  select format('grant %%s on schema %%I to %%I',
                                case when has_schema_privilege(oid, 'usage') then 'create' else 'usage' end, nspname, current_user)
                  from pg_namespace
                  where right(%1$s, length(nspname) + 1) = ' ' || nspname
                    and not (has_schema_privilege(oid, 'usage') and has_schema_privilege(oid, 'create'))
                  union all
                  select format('grant select on %%I.%%I to %%I', nspname, relname, current_user)
                  from pg_class c join pg_namespace n on n.oid = relnamespace
                  where relname = %2$s and %3$s and relkind in ('r', 'p', 'v', 'm', 'f') and not has_table_privilege(c.oid, 'select')
                ) role (missing)
                """,
                Quoting.literal(message),
                Quoting.literal(table.name()),
                table.schema().isEmpty()
                        ? "pg_table_is_visible(c.oid)"
                        : "nspname = " + Quoting.literal(table.schema()));
    }

    /** A right that a superuser may grant to a role so that it can observe a server. */
    public enum ServerRight {
        /** Reads the files of {@code /proc}. Before PostgreSQL 11, the role does not exist, and only superusers can read them. */
        READ_FILES(
                "CPU, disks and network of the machine of",
                11,
                "grant pg_read_server_files to ROLE;"
                        + " grant execute on function pg_read_file(text, bigint, bigint, boolean) to ROLE"),

        /** Reads what other roles do, such as vacuums, and all settings. Before PostgreSQL 10, only superusers can. */
        MONITOR("running vacuums, and settings for superusers, of", 10, "grant pg_monitor to ROLE");

        private final String figures;
        private final int since;
        private final String grants;

        ServerRight(String figures, int since, String grants) {
            this.figures = figures;
            this.since = since;
            this.grants = grants;
        }

        /**
         * What to run.
         *
         * @param version the server's major version
         */
        public String remedy(String role, int version) {
            return version < since
                    ? "connect as a superuser (before PostgreSQL " + since + ")"
                    : "an administrator must run " + grants.replace("ROLE", Quoting.identifier(role));
        }

        /** Which figures are unavailable without it; the names of the servers follow. */
        public String figures() {
            return figures;
        }
    }

    /** The grants that a role lacks to change settings reserved for superusers; they exist from PostgreSQL 15 on. */
    public static final class ParameterGrants {
        private static final int SINCE = 15;

        /** What ALTER SYSTEM is used with: its effect is checked in the files, and the server must read them. */
        private static final List<String> OF_FILES = List.of(
                "execute on function pg_reload_conf()",
                "execute on function pg_show_all_file_settings()",
                "select on pg_file_settings");

        private ParameterGrants() {}

        /** A suffix for the message of a refused SET: the missing grants; empty if the failure has another cause. */
        public static String forSet(Connection control, SQLException failure, Collection<String> names)
                throws SQLException {
            String message = ServerErrors.sampleOf(failure);
            return words(
                    control,
                    failure,
                    names.stream()
                            .filter(message::contains)
                            .map(name -> "set on parameter " + name)
                            .toList());
        }

        /** Why ALTER SYSTEM of this setting failed, with the statement that grants it. */
        public static String forAlterSystem(Connection control, SQLException failure, String name) throws SQLException {
            return words(
                    control,
                    failure,
                    Stream.concat(Stream.of("alter system on parameter " + name), OF_FILES.stream())
                            .toList());
        }

        private static String words(Connection control, SQLException failure, List<String> rights) throws SQLException {
            if (!INSUFFICIENT_PRIVILEGE.equals(ServerErrors.stateOf(failure)) || rights.isEmpty()) {
                return "";
            }
            DatabaseMetaData facts = control.getMetaData();
            String to = " to " + Quoting.identifier(facts.getUserName());
            return facts.getDatabaseMajorVersion() < SINCE
                    ? "; requires a superuser, before PostgreSQL " + SINCE
                    : "; an administrator must run: "
                            + rights.stream()
                                    .map(right -> "grant " + right + to)
                                    .collect(Collectors.joining("; "));
        }
    }
}
