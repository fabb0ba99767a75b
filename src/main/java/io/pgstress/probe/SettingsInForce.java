package io.pgstress.probe;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.Node;
import io.pgstress.target.ServerFacts;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ReachedServer;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The requested settings, as read at the end by a session of the load on each node, and which settings of the server somebody else
 * changed during the run.
 */
public final class SettingsInForce implements Probe {
    private static final String SILENT = "not read: the node did not answer";

    private final RunContext run;
    private final Servers servers;
    private final Map<Node, ServerState> before = new LinkedHashMap<>();

    public SettingsInForce(RunContext run, Servers servers) {
        this.run = run;
        this.servers = servers;
    }

    @Override
    public void start() throws InterruptedException {
        for (Node node : run.target().nodes()) {
            servers.of(node)
                    .query(control -> Optional.of(ServerState.of(control)), Optional.<ServerState>empty())
                    .ifPresent(state -> before.put(node, state));
        }
    }

    @Override
    public void contribute(Findings findings) throws InterruptedException {
        Map<String, String> unread = new TreeMap<>();
        names().forEach(name -> unread.put(name, SILENT));
        Map<Node, QuestionThread.Question<Shown>> asked = new LinkedHashMap<>();
        run.target()
                .nodes()
                .forEach(node ->
                        asked.put(node, servers.of(node).begin(() -> new Shown(requested(node), changes(node)))));
        for (Map.Entry<Node, QuestionThread.Question<Shown>> one : asked.entrySet()) {
            Shown shown = one.getValue().orElse(new Shown(unread, List.of()));
            findings.settings(one.getKey().url(), shown.requested);
            shown.changes.forEach(findings.evidence()::caution);
        }
    }

    private Map<String, String> requested(Node node) {
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

    /** What changed on the node; a new session has those of its role and database, too. */
    private List<Remark> changes(Node node) {
        ServerState first = before.get(node);
        if (first == null) {
            return List.of();
        }
        try (Connection connection = node.connector().open(SessionPurpose.CONTROL)) {
            return first.changes(node.url(), ServerState.of(connection));
        } catch (SQLException e) {
            return List.of(); // other remarks say that the server cannot be used
        }
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>(run.spec().settings().keySet());
        names.addAll(run.spec().alterSystem().keySet());
        return names;
    }

    /**
     * What was read of a node after the load.
     *
     * @param requested the values of the requested settings
     * @param changes what somebody else changed
     */
    private record Shown(Map<String, String> requested, List<Remark> changes) {}

    /**
     * A server, and the settings that its new sessions have.
     *
     * @param settings of the same names for each session of a role
     */
    record ServerState(ReachedServer server, Map<String, String> settings) {
        static ServerState of(Connection control) throws SQLException {
            return new ServerState(ReachedServer.of(control), ServerFacts.settings(control));
        }

        /** Remarks on what is different later; none if the other one is that of another server. */
        List<Remark> changes(String url, ServerState later) {
            boolean isSame = server.name().equals(later.server.name()) && server.hasDataOf(later.server);
            if (!isSame) {
                return List.of();
            }
            List<Remark> changes = new ArrayList<>();
            String changed = settings.entrySet().stream()
                    .filter(one -> !later.settings
                            .getOrDefault(one.getKey(), one.getValue())
                            .equals(one.getValue()))
                    .map(one ->
                            one.getKey() + " (" + one.getValue() + ", then " + later.settings.get(one.getKey()) + ")")
                    .collect(Collectors.joining(", "));
            if (!changed.isEmpty()) {
                changes.add(RemarkCode.SETTINGS_CHANGED
                        .with("server", url)
                        .with("settings", changed)
                        .remark());
            }
            if (server.isStandby() && !later.server.isStandby()) {
                changes.add(RemarkCode.PROMOTED.with("server", url).remark());
            }
            return changes;
        }
    }
}
