package io.pgstress.runner;

import io.pgstress.plan.RunSpec;
import io.pgstress.target.Node;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The settings that a run asked for, as a session of the load shows them. */
final class SettingsInForce {
    private static final String SILENT = "not read: the node did not answer";

    private SettingsInForce() {}

    /** Asks the node, by a session like those of the load. */
    static Map<String, String> of(Node node, RunSpec spec) {
        Map<String, String> shown = new TreeMap<>();
        Set<String> names = names(spec);
        if (names.isEmpty()) {
            return shown;
        }
        try (Connection connection = node.connector().open();
                Statement statement = connection.createStatement()) {
            for (String name : names) {
                try (ResultSet row = statement.executeQuery("show " + name)) {
                    row.next();
                    shown.put(name, row.getString(1));
                }
            }
        } catch (SQLException e) {
            names.forEach(name -> shown.putIfAbsent(name, "not read: " + ServerErrors.sampleOf(e)));
        }
        return shown;
    }

    /** What is told of a node that did not answer. */
    static Map<String, String> untold(RunSpec spec) {
        Map<String, String> told = new TreeMap<>();
        names(spec).forEach(name -> told.put(name, SILENT));
        return told;
    }

    private static Set<String> names(RunSpec spec) {
        Set<String> names = new TreeSet<>(spec.settings().keySet());
        names.addAll(spec.alterSystem().keySet());
        return names;
    }
}
