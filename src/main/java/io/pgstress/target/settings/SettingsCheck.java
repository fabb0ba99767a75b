package io.pgstress.target.settings;

import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.MissingGrants.ParameterGrants;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares the settings that a run requests with what SHOW returns in a session of the load. */
public final class SettingsCheck {
    /** "cannot be changed now": {@code backend}, {@code sighup} and {@code postmaster} settings. */
    private static final String CANNOT_CHANGE_NOW = "55P02";

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
                throw new TargetException(node.url() + " refuses the settings: " + oneLine(e), e);
            }
        }
    }

    private static void checkInForce(Connection control, Node node, Map<String, String> asked) throws SQLException {
        try (Connection load = node.connector().open(SessionPurpose.LOAD)) {
            asked.forEach((name, value) -> checkInForce(load, control, node, name, value));
        } catch (SQLException e) {
            throw new TargetException(
                    node.url() + " refuses the settings: " + oneLine(e)
                            + ParameterGrants.forSet(control, e, asked.keySet()),
                    e);
        }
    }

    private static void checkKnown(Connection control, Node node, String name) throws SQLException {
        try (Statement statement = control.createStatement()) {
            if (show(statement, name) == null) {
                throw new TargetException(node.url() + " has no setting " + name);
            }
            try (ResultSet row = statement.executeQuery(
                    "select context from pg_settings where lower(name) = lower(" + Quoting.literal(name) + ")")) {
                String context = row.next() ? row.getString(1) : "user";
                if (context.equals("postmaster") || context.equals("internal")) {
                    throw new TargetException("setting " + name + " is read only when the server starts: no session can"
                            + " change it; change it in postgresql.conf and restart " + node.url());
                }
                if (context.equals("sighup")) {
                    throw new TargetException("setting " + name + " belongs to the whole server: a session of "
                            + node.url() + " cannot have its own; --alter-system " + name
                            + "=... changes it for the run");
                }
            }
        } catch (SQLException e) {
            throw new TargetException(node.url() + " has no setting " + name + ": " + oneLine(e), e);
        }
    }

    private static void checkInForce(Connection load, Connection control, Node node, String name, String asked) {
        try (Statement ofLoad = load.createStatement();
                Statement ofControl = control.createStatement()) {
            String shown = show(ofLoad, name);
            if (!asked.equals(shown) && !same(ofControl, name, asked, shown)) {
                throw new TargetException(node.url() + ": setting " + name + " should be " + asked
                        + ", but a session of" + " the load has " + shown);
            }
        } catch (SQLException e) {
            throw new TargetException(node.url() + ": setting " + name + ": " + oneLine(e), e);
        }
    }

    /** Whether the server formats the requested value as the shown one, such as 65536kB and 64MB, on and true. */
    private static boolean same(Statement statement, String name, String asked, @Nullable String shown)
            throws SQLException {
        try (ResultSet row =
                statement.executeQuery("select set_config(" + Quoting.literal(name) + ", " + Quoting.literal(asked)
                        + ", true)")) { // for this statement only: a pooler may lend the session to others
            row.next();
            return String.valueOf(row.getString(1)).equals(shown);
        } catch (SQLException e) {
            if (!CANNOT_CHANGE_NOW.equals(e.getSQLState())) {
                throw e;
            }
            return bool(asked).equals(bool(String.valueOf(shown)));
        }
    }

    private static String bool(String value) {
        return switch (value.toLowerCase(java.util.Locale.ROOT)) {
            case "true", "yes", "1" -> "on";
            case "false", "no", "0" -> "off";
            default -> value.toLowerCase(java.util.Locale.ROOT);
        };
    }

    private static @Nullable String show(Statement statement, String name) throws SQLException {
        try (ResultSet row = statement.executeQuery("select current_setting(" + Quoting.literal(name) + ")")) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private static String oneLine(SQLException e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }
}
