package io.pgstress.target.settings;

import io.pgstress.target.MissingGrants.ParameterGrants;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;

/** Compares the settings that a run requests with what SHOW returns in a session of the load. */
public final class SettingsCheck {
    /** "cannot be changed now": {@code backend}, {@code sighup} and {@code postmaster} settings. */
    private static final String CANNOT_CHANGE_NOW = "55P02";

    private static final String UNDEFINED = "42704";

    private SettingsCheck() {}

    /** @throws TargetException if a setting is unknown, cannot be set by a session, or is not as requested */
    public static void check(Target target, Map<String, String> asked) {
        if (asked.isEmpty()) {
            return;
        }
        for (Node node : target.nodes()) {
            try (Connection control = node.connector().open(SessionPurpose.LOOKUP)) {
                for (Map.Entry<String, String> setting : asked.entrySet()) {
                    checkKnown(control, node, setting.getKey());
                }
                checkInForce(control, node, asked);
            } catch (SQLException e) {
                throw new TargetException(node.url() + " refuses the settings: " + ServerErrors.messageOf(e), e);
            }
        }
    }

    private static void checkInForce(Connection control, Node node, Map<String, String> asked) throws SQLException {
        try (Connection load = node.connector().open(SessionPurpose.LOAD)) {
            asked.forEach((name, value) -> checkInForce(load, control, node, name, value));
        } catch (SQLException e) {
            throw new TargetException(
                    node.url() + " refuses the settings: " + ServerErrors.messageOf(e)
                            + ParameterGrants.forSet(control, e, asked.keySet()),
                    e);
        }
    }

    private static void checkKnown(Connection control, Node node, String name) throws SQLException {
        try {
            show(control, name);
            String context = ServerSettings.context(control, name);
            if (ServerSettings.RESTART.contains(context)) {
                throw new TargetException("setting " + name + " is read only when the server starts: no session can"
                        + " change it; change it in postgresql.conf and restart " + node.url());
            }
            if (context.equals("sighup")) {
                throw new TargetException("setting " + name + " belongs to the whole server: a session of " + node.url()
                        + " cannot have its own; --alter-system " + name + "=... changes it for the run");
            }
        } catch (SQLException e) {
            boolean isOwn = UNDEFINED.equals(e.getSQLState()) && name.indexOf('.') > 0;
            if (!isOwn) { // a setting of the user's own exists in the sessions that set it
                throw new TargetException(node.url() + " has no setting " + name + ": " + ServerErrors.messageOf(e), e);
            }
        }
    }

    private static void checkInForce(Connection load, Connection control, Node node, String name, String asked) {
        try {
            String shown = show(load, name);
            if (!asked.equals(shown) && !same(control, name, asked, shown)) {
                throw new TargetException(node.url() + ": setting " + name + " should be " + asked
                        + ", but a session of the load has " + shown);
            }
        } catch (SQLException e) {
            throw new TargetException(node.url() + ": setting " + name + ": " + ServerErrors.messageOf(e), e);
        }
    }

    /** Whether the server formats the requested value as the shown one, such as 65536kB and 64MB, on and true. */
    private static boolean same(Connection control, String name, String asked, String shown) throws SQLException {
        try {
            // for this statement only: a pooler may lend the session to others
            String set = "select set_config(" + Quoting.literal(name) + ", " + Quoting.literal(asked) + ", true)";
            return ControlSql.text(control, set).orElse("").equals(shown);
        } catch (SQLException e) {
            if (!CANNOT_CHANGE_NOW.equals(e.getSQLState())) {
                throw e;
            }
            return bool(asked).equals(bool(shown));
        }
    }

    private static String bool(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "1" -> "on";
            case "false", "no", "0" -> "off";
            default -> value.toLowerCase(Locale.ROOT);
        };
    }

    private static String show(Connection connection, String name) throws SQLException {
        return ControlSql.text(connection, "select current_setting(" + Quoting.literal(name) + ")")
                .orElse("");
    }
}
