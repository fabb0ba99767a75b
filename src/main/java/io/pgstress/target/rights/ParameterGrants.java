package io.pgstress.target.rights;

import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The grants that a role lacks to change settings reserved for superusers; they exist from PostgreSQL 15 on. */
public final class ParameterGrants {
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

    /** The same for ALTER SYSTEM. */
    public static String forAlterSystem(Connection control, SQLException failure, String name) throws SQLException {
        return words(
                control,
                failure,
                Stream.concat(Stream.of("alter system on parameter " + name), OF_FILES.stream())
                        .toList());
    }

    private static String words(Connection control, SQLException failure, List<String> rights) throws SQLException {
        if (!MissingGrants.INSUFFICIENT_PRIVILEGE.equals(ServerErrors.stateOf(failure)) || rights.isEmpty()) {
            return "";
        }
        DatabaseMetaData facts = control.getMetaData();
        String to = " to " + Quoting.identifier(facts.getUserName());
        return facts.getDatabaseMajorVersion() < SINCE
                ? "; requires a superuser, before PostgreSQL " + SINCE
                : "; an administrator must run: "
                        + rights.stream().map(right -> "grant " + right + to).collect(Collectors.joining("; "));
    }
}
