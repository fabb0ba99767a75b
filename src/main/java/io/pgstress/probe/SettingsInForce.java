package io.pgstress.probe;

import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.Node;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The requested settings, as read at the end by a session of the load on each node. */
public record SettingsInForce(RunContext run, Servers servers) implements Probe {
    private static final String SILENT = "not read: the node did not answer";

    @Override
    public void contribute(Findings findings) throws InterruptedException {
        Map<String, String> unread = new TreeMap<>();
        names().forEach(name -> unread.put(name, SILENT));
        Map<Node, QuestionThread.Question<Map<String, String>>> asked = new LinkedHashMap<>();
        run.target().nodes().forEach(node -> asked.put(node, servers.of(node).begin(() -> of(node))));
        for (Map.Entry<Node, QuestionThread.Question<Map<String, String>>> one : asked.entrySet()) {
            findings.settings(one.getKey().url(), one.getValue().orElse(unread));
        }
    }

    private Map<String, String> of(Node node) {
        Map<String, String> shown = new TreeMap<>();
        Set<String> names = names();
        if (names.isEmpty()) {
            return shown;
        }
        try (Connection connection = node.connector().open(SessionPurpose.LOAD)) {
            for (String name : names) {
                shown.put(name, ControlSql.text(connection, "show " + name).orElse(""));
            }
        } catch (SQLException e) {
            names.forEach(name -> shown.putIfAbsent(name, "not read: " + ServerErrors.sampleOf(e)));
        }
        return shown;
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>(run.spec().settings().keySet());
        names.addAll(run.spec().alterSystem().keySet());
        return names;
    }
}
