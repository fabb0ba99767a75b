package io.pgstress.target.settings;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.Cluster.ClusterNode;
import io.pgstress.target.MissingGrants.ParameterGrants;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.LoggerFactory;

/**
 * Settings of whole servers, changed by ALTER SYSTEM and a reload on every node of a cluster, and restored when closed. Each
 * change is in a {@link Journal} before it is made, in case the process is killed.
 */
public final class AlteredSettings implements AutoCloseable {
    /** Longer than a server may take to read its configuration. */
    private static final int MAX_SECONDS = 15;

    /** Maximum seconds for connecting to a server that does not hang. */
    private static final int MAX_CONNECTING = 5;

    private final Journal journal;

    /** The connector of each change; unlike the journal, it may know a password. */
    private final Map<Journal.Change, Connector> own = new HashMap<>();

    private final List<String> failures = new ArrayList<>();
    private final List<String> taken = new ArrayList<>();
    /** What was restored, by {@code server: setting}, with the value that it has now. */
    private final Map<String, String> restored = new LinkedHashMap<>();

    private final int seconds;

    /** @param seconds the time limit of an answer */
    private AlteredSettings(Journal journal, int seconds) {
        this.journal = journal;
        this.seconds = seconds;
    }

    /**
     * Changes the settings on each node, one after the other, and waits until each shows them.
     *
     * @throws TargetException if a setting is unknown or needs a restart, before anything is changed; or if a change does not
     *     take effect, after all are restored
     */
    public static AlteredSettings apply(List<ClusterNode> members, Map<String, String> asked, Journal journal) {
        return apply(members, asked, journal, MAX_SECONDS);
    }

    static AlteredSettings apply(List<ClusterNode> members, Map<String, String> asked, Journal journal, int seconds) {
        AlteredSettings altered = new AlteredSettings(journal, seconds);
        if (asked.isEmpty()) {
            return altered;
        }
        members.forEach(member ->
                asked.keySet().forEach(name -> altered.onServer(member, name, s -> s.checkCanChange(name))));
        try {
            for (ClusterNode member : members) {
                asked.forEach((name, value) -> altered.change(member, name, value));
            }
            return altered;
        } catch (RuntimeException e) {
            altered.close();
            if (altered.failures().isEmpty()) {
                throw e;
            }
            throw new TargetException(e.getMessage() + "; " + String.join("; ", altered.failures()), e);
        }
    }

    private interface Work {
        void on(ServerSettings server) throws SQLException;
    }

    private void onServer(ClusterNode member, String setting, Work work) {
        try (Connection connection = open(member.connector())) {
            try {
                work.on(new ServerSettings(connection, member.name()));
            } catch (SQLException e) {
                String grants = ParameterGrants.forAlterSystem(connection, e, setting);
                if (grants.isEmpty()) {
                    throw e;
                }
                throw new TargetException(member.name() + ": ALTER SYSTEM: " + reason(e) + grants, e);
            }
        } catch (SQLException e) {
            throw new TargetException(member.name() + ": ALTER SYSTEM: " + reason(e), e);
        }
    }

    private String reason(SQLException e) {
        return ServerErrors.isTimeout(e) ? whyNotRestored(e) : ServerErrors.sampleWithState(e);
    }

    private void change(ClusterNode member, String name, String value) {
        onServer(member, name, server -> {
            Connector connector = member.connector();
            Journal.Change change = new Journal.Change(
                    connector.endpoint().withoutSecrets(), connector.user(), name, server.altered(name), value);
            journal.add(change);
            own.put(change, connector);
            server.alter(name, value);
        });
    }

    /**
     * Restores all settings, on all nodes in parallel. What cannot be restored, because a node is down or does not answer in
     * time, stays in the journal.
     */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted(); // the settings must be restored nevertheless
        Map<String, List<Journal.Change>> servers = new LinkedHashMap<>();
        journal.changes()
                .forEach(change -> servers.computeIfAbsent(change.url(), url -> new ArrayList<>())
                        .add(change));
        List<Journal.Change> left = new ArrayList<>();
        Executor threads = work -> new Thread(work, "put-back").start();
        List<CompletableFuture<Void>> all = servers.values().stream()
                .map(changes -> CompletableFuture.runAsync(() -> putBack(changes, left), threads))
                .toList();
        all.forEach(CompletableFuture::join); // which an interrupt does not end
        journal.keep(left);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Connector way(Journal.Change change) {
        Connector made = own.get(change);
        return made == null ? connector(change) : made;
    }

    /** A connector from the data in the journal, which has no secrets. */
    private static Connector connector(Journal.Change change) {
        return new Connector(new Endpoint(change.url(), 0), Login.of(change.user()));
    }

    /** Settings that others have changed meanwhile, which are left as they are, one line each. */
    public List<String> taken() {
        return taken;
    }

    /** What could not be restored, one line each. */
    public List<String> failures() {
        return failures;
    }

    /**
     * Undoes the changes of killed processes.
     *
     * @param failed receives what could not be undone, one line each
     * @return the value that each setting has now, by {@code server: setting}
     */
    public static Map<String, String> restore(Journal journal, List<String> failed) {
        AlteredSettings left = new AlteredSettings(journal, MAX_SECONDS);
        left.close();
        failed.addAll(left.failures);
        return left.restored;
    }

    /**
     * Forgets the changes of killed processes that somebody else has undone on these servers: the settings are as they were
     * before the first of the changes. What cannot be read stays in the journals.
     *
     * @param journals the newest first, as of {@link Journal#leftBehind}
     */
    public static void forgetUndone(List<Journal> journals, List<Endpoint> servers) {
        Map<List<String>, Journal.Change> first = new LinkedHashMap<>();
        journals.forEach(journal -> journal.changes().forEach(change -> first.put(key(change), change)));
        Set<List<String>> undone = new HashSet<>();
        first.forEach((key, change) -> servers.stream()
                .filter(server -> server.isSameServer(new Endpoint(change.url(), 0)))
                .findFirst()
                .filter(server -> isUndone(change, new Connector(server, Login.of(change.user()))))
                .ifPresent(server -> undone.add(key)));
        if (undone.isEmpty()) {
            return;
        }
        for (Journal journal : journals) {
            journal.keep(journal.changes().stream()
                    .filter(change -> !undone.contains(key(change)))
                    .toList());
        }
    }

    private static List<String> key(Journal.Change change) {
        return List.of(change.url(), change.name());
    }

    private static boolean isUndone(Journal.Change change, Connector connector) {
        try (Connection connection = connector.open(SessionPurpose.CONTROL.within(MAX_CONNECTING, MAX_SECONDS))) {
            return new ServerSettings(connection, change.url()).isBackAt(change.name(), change.before());
        } catch (SQLException e) {
            LoggerFactory.getLogger(
                            AlteredSettings.class) // not a field: each command would begin with the loggers' start
                    .debug("whether {} is altered could not be read", change.name(), e); // the note about it stays
            return false;
        }
    }

    /**
     * Restores the settings of one server. A server that does not answer is not tried again. What cannot be restored is left, with
     * the reason and what to do as one line of the failures.
     */
    private void putBack(List<Journal.Change> changes, List<Journal.Change> left) {
        boolean isSilent = false;
        for (Journal.Change change : changes) {
            String why = "the server did not answer before";
            if (!isSilent) {
                try (Connection connection = open(way(change))) {
                    putBack(change, new ServerSettings(connection, change.url()));
                    continue;
                } catch (SQLException | RuntimeException e) {
                    isSilent = e instanceof SQLException failure && ServerErrors.isTimeout(failure);
                    why = whyNotRestored(e);
                }
            }
            synchronized (failures) {
                left.add(change);
                failures.add(change.url() + ": " + change.name() + " was not restored: " + why
                        + "; once the server answers, run: stress settings restore, or there: "
                        + ServerSettings.undoing(change.name(), change.before()) + "; select pg_reload_conf()");
            }
        }
    }

    private void putBack(Journal.Change change, ServerSettings server) throws SQLException {
        String name = change.name();
        String setting = change.url() + ": " + name;
        boolean isOurs = server.isAltered(name, change.value());
        boolean isTaken = !isOurs && !server.isAltered(name, change.before());
        String now = isOurs
                ? server.putBack(name, change.before())
                : isTaken
                        ? Objects.requireNonNullElse(server.altered(name), "no value by ALTER SYSTEM")
                        : server.current(name);
        synchronized (failures) {
            restored.put(setting, isTaken ? now + ", as another session set it meanwhile" : now);
            if (isTaken) {
                taken.add(setting + " was set to " + now
                        + " by another session during the run, and is left so (before the run: "
                        + (change.before() == null ? "no value by ALTER SYSTEM" : change.before()) + ")");
            }
        }
    }

    private String whyNotRestored(Exception e) {
        return e instanceof SQLTimeoutException || !ServerErrors.isTimeout(e)
                ? ServerErrors.messageOf(e)
                : "no answer within " + seconds + " s";
    }

    /** A connection with a time limit for answers. */
    private Connection open(Connector connector) throws SQLException {
        return connector.open(SessionPurpose.CONTROL.within(Math.min(seconds, MAX_CONNECTING), seconds));
    }
}
