package io.pgstress.target.settings;

import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings of one server, changed by ALTER SYSTEM. Not thread-safe. */
record ServerSettings(Connection connection, String server) {
    /** "undefined object". */
    private static final String UNKNOWN = "42704";

    /** Contexts of settings that are read only when the server starts. */
    static final Set<String> RESTART = Set.of("postmaster", "internal");

    private static final long MAX_NANOS = 10_000_000_000L;
    private static final long POLL_NANOS = 20_000_000;

    /** @throws TargetException if the server has no such setting, or only a restart would change it */
    void checkCanChange(String name) throws SQLException {
        try {
            ControlSql.text(connection, "select current_setting(" + Quoting.literal(name) + ")");
        } catch (SQLException e) {
            if (UNKNOWN.equals(e.getSQLState())) {
                throw new TargetException(server + " has no setting " + name, e);
            }
            throw e;
        }
        if (RESTART.contains(context(connection, name))) {
            throw new TargetException("setting " + name + " is read only when the server starts: ALTER SYSTEM and a"
                    + " reload do not change it; change it in postgresql.conf and restart " + server);
        }
    }

    /** When the setting can be changed, as pg_settings has it: {@code user} for an unknown one. */
    static String context(Connection connection, String name) throws SQLException {
        return ControlSql.text(connection, "select context from pg_settings where " + isNamed(name))
                .orElse("user");
    }

    private static String isNamed(String name) {
        return "lower(name) = lower(" + Quoting.literal(name) + ")";
    }

    /** The value set by ALTER SYSTEM; null if there is none. */
    @Nullable
    String altered(String name) throws SQLException {
        String sql = showsFiles()
                ? "select setting from pg_file_settings where " + isNamed(name)
                        + " and sourcefile like '%postgresql.auto.conf' order by seqno desc limit 1"
                : "select replace(substring(pg_read_file('postgresql.auto.conf') from "
                        + Quoting.literal("(?in)^" + name.replace(".", "[.]") + " = '(.*)'$")
                        + "), repeat(chr(39), 2), chr(39))";
        return ControlSql.text(connection, sql).orElse(null);
    }

    /** Whether there is the view pg_file_settings. */
    private boolean showsFiles() throws SQLException {
        return ControlSql.isSince(connection, 9, 5);
    }

    /**
     * Sets it, reloads the configuration, and waits until a session has read it.
     *
     * @throws TargetException if it does not take effect because another source overrides it
     */
    void alter(String name, String value) throws SQLException {
        ControlSql.execute(connection, "alter system set " + identifier(name) + " = " + literals(name, value));
        reload();
        String source = ControlSql.text(
                        connection,
                        "select source from pg_settings where " + isNamed(name)
                                + " and source not in ('configuration file', 'session', 'default')")
                .orElse("");
        if (!source.isEmpty()) {
            throw new TargetException(server + ": setting " + name + " was altered to " + value
                    + ", but its value comes from: " + source);
        }
        Optional<String> wrong = !showsFiles()
                ? Optional.empty()
                : ControlSql.text(
                        connection,
                        "select error from pg_file_settings where " + isNamed(name) + " and error is not null limit 1");
        if (wrong.isPresent()) {
            throw new TargetException(server + ": setting " + name + " = " + value + ": " + wrong.get());
        }
    }

    /**
     * Restores the earlier value, or resets the setting if there was none; returns the value that a new session has now.
     *
     * @throws TargetException if the server's configuration does not have the earlier value afterwards
     */
    String putBack(String name, @Nullable String before) throws SQLException {
        ControlSql.execute(
                connection,
                before == null
                        ? "alter system reset " + identifier(name)
                        : "alter system set " + identifier(name) + " = " + literals(name, before));
        reload();
        String now = altered(name);
        if (!elements(name, now).equals(elements(name, before))) {
            throw new TargetException("it is " + now + " in postgresql.auto.conf, not "
                    + (before == null ? "left to postgresql.conf" : before));
        }
        return current(name);
    }

    private static List<String> elements(String name, @Nullable String value) {
        return value == null ? List.of() : ListSettings.elements(name, value);
    }

    /** Whether ALTER SYSTEM has set it to this value; null: to none. */
    boolean isAltered(String name, @Nullable String value) throws SQLException {
        return elements(name, altered(name)).equals(elements(name, value));
    }

    /** The value that a new session has. */
    String current(String name) throws SQLException {
        return ControlSql.text(
                        connection,
                        "select current_setting(" + Quoting.literal(name)
                                + (ControlSql.isSince(connection, 9, 6) ? ", true)" : ")"))
                .orElse("");
    }

    /**
     * Whether the server has read a configuration in which ALTER SYSTEM has set this value, or none if it is null: as before a
     * change, however it was undone.
     */
    boolean isBackAt(String name, @Nullable String before) throws SQLException {
        String isRead = before == null
                ? "select not exists (select 1 from pg_settings where " + isNamed(name)
                        + " and sourcefile like '%postgresql.auto.conf')"
                : "select (pg_stat_file('postgresql.auto.conf')).modification <= pg_conf_load_time()";
        return isAltered(name, before) && ControlSql.holds(connection, isRead);
    }

    /** The statement of {@link #putBack}, for a person to type. */
    static String undoing(String name, @Nullable String before) {
        return "alter system " + (before == null ? "reset " + name : "set " + name + " = " + Quoting.literal(before));
    }

    /** Reloads the configuration and waits until this session has read it. */
    private void reload() throws SQLException {
        String before = ControlSql.text(connection, "select clock_timestamp()").orElse("");
        ControlSql.execute(connection, "select pg_reload_conf()");
        long end = System.nanoTime() + MAX_NANOS;
        while (!ControlSql.holds(connection, "select pg_conf_load_time() > " + Quoting.literal(before))) {
            if (System.nanoTime() > end) {
                throw new TargetException(server + " did not reload its configuration within 10 s");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** A setting's name, whose parts are separated by dots; the server refuses anything else. */
    private static String identifier(String name) {
        return Quoting.identifier(name).replace(".", "\".\"");
    }

    private static String literals(String setting, String value) {
        return ListSettings.elements(setting, value).stream()
                .map(Quoting::literal)
                .collect(Collectors.joining(", "));
    }

    /** Settings that are lists of names or files: ALTER SYSTEM takes one literal per element, and reads a single literal as one name. */
    static final class ListSettings {
        /** Lists of identifiers, which are in lower case unless quoted. */
        private static final Set<String> NAMES = Set.of("search_path", "temp_tablespaces");

        private static final Set<String> FILES = Set.of(
                "local_preload_libraries",
                "session_preload_libraries",
                "shared_preload_libraries",
                "unix_socket_directories");

        private static final Pattern ELEMENT = Pattern.compile("\\G\\s*(\"(?:[^\"]|\"\")*\"|[^,]*?)\\s*(,|$)");

        private ListSettings() {}

        /** The elements of the value, unquoted; for other settings the value itself. */
        static List<String> elements(String setting, String value) {
            String name = setting.toLowerCase(Locale.ROOT);
            boolean areNames = NAMES.contains(name);
            if (!areNames && !FILES.contains(name)) {
                return List.of(value);
            }
            List<String> elements = new ArrayList<>();
            Matcher found = ELEMENT.matcher(value);
            boolean isLast = false;
            while (!isLast && found.find()) {
                String text = found.group(1);
                isLast = found.group(2).isEmpty();
                if (text.startsWith("\"")) {
                    elements.add(text.substring(1, text.length() - 1).replace("\"\"", "\""));
                } else {
                    elements.add(areNames ? text.toLowerCase(Locale.ROOT) : text);
                }
            }
            return elements;
        }
    }
}
