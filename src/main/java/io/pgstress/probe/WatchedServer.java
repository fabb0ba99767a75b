package io.pgstress.probe;

import io.pgstress.machine.Environment;
import io.pgstress.measure.Timeline;
import io.pgstress.plan.TableName;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.Remark;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineWatch;
import io.pgstress.result.ServerProfile.IoCounts;
import io.pgstress.result.ServerProfile.ServerStatement;
import io.pgstress.runner.Findings;
import io.pgstress.runner.RunContext;
import io.pgstress.target.MissingGrants.ServerRight;
import io.pgstress.target.Node;
import io.pgstress.target.dialect.Plans;
import io.pgstress.target.driver.ServerErrors;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Observes one server: its counters, its sessions' waits, its machine, its counts of the run's statements, and
 * when it did not answer. It is queried on its own thread. Belongs to the run's thread.
 */
final class WatchedServer implements AutoCloseable {
    private final ServerList.Observed server;
    private final Timeline timeline;
    private final ServerLink link;
    private final Counters counters;
    private final WaitSamples waits;
    private final HostReader files;
    private final MachineWatch machine;
    private final CountedStatements statements;
    private final Answers answers;
    private final MeasuredCounters measured;
    private final Bounded asking;
    private final AtomicBoolean isSampling = new AtomicBoolean();
    private final AtomicBoolean isChecking = new AtomicBoolean();
    private Bounded.@Nullable Question<Boolean> open;
    private Bounded.@Nullable Question<Boolean> probe;
    private boolean hasAnswered;

    WatchedServer(ServerList.Observed server, RunContext run, Notes notes, long maxSeconds) {
        this.server = server;
        this.timeline = run.timeline();
        this.link = new ServerLink(server, notes);
        this.counters = new Counters(server, link);
        this.waits = new WaitSamples(link);
        this.files = new HostReader(link);
        this.machine = new MachineWatch(server.name(), server.role(), server.local(), files, timeline::sinceStart);
        this.statements = new CountedStatements(
                server, link, run.target().dialect().plans(), run.table().name());
        this.answers = new Answers(server.name(), server.role(), server.url());
        this.measured = new MeasuredCounters(server, link);
        this.asking = new Bounded(maxSeconds);
    }

    /** Requests the counters before the load; {@link #started} waits for them. */
    void readBefore() {
        open = asking.begin(() -> {
            ObserverRights.check(link);
            counters.readBefore();
            statements.readBefore();
            machine.start();
            return true;
        });
    }

    void started() throws InterruptedException {
        answer();
    }

    private boolean answer() throws InterruptedException {
        Bounded.Question<Boolean> question = open;
        return question != null && question.orElse(false);
    }

    /** From now on the machine's figures and the checks count. */
    void measureStarts() {
        asking.tell(() -> {
            answers.start(seconds());
            machine.start();
            measured.start();
        });
    }

    /** Ends the period of the machine's totals. */
    void measureEnds() {
        asking.tell(() -> {
            machine.end();
            measured.end();
        });
    }

    /** Seconds since the start of the load, pauses excluded. */
    private double seconds() {
        return timeline.sinceStart(System.nanoTime()) / 1e9;
    }

    /** Samples the sessions' waits, unless the previous sample is still pending. */
    void sampleWaits() {
        if (server.node() != null) {
            asking.tell(isSampling, waits::sample);
        }
    }

    /** Reads the machine, and so checks the server, unless the previous check is still pending. */
    void check() {
        if (!isChecking.get()) { // only this thread sets it
            answers.asked(seconds());
            asking.tell(isChecking, this::look);
        }
    }

    private void look() {
        if (machine.sample() || link.answers()) {
            answers.answered(seconds());
        } else {
            answers.failed();
        }
    }

    /** Checks whether the server answers at all; if not, {@link #ended} does not wait for it. */
    void probe() {
        probe = asking.probe(link::answers);
    }

    void awaitProbe() throws InterruptedException {
        Bounded.Question<Boolean> asked = probe;
        if (asked != null) {
            asked.orElse(false);
        }
    }

    /** Requests everything needed after the load; {@link #ended} waits for it. */
    void readAfter() {
        answers.asked(seconds());
        open = asking.begin(() -> {
            look();
            counters.readAfter();
            statements.readAfter();
            files.tidy();
            return true;
        });
    }

    void ended() throws InterruptedException {
        hasAnswered = answer();
        if (!hasAnswered) {
            answers.failed();
            if (server.node() != null) {
                link.note(server.node().url() + " did not answer after the run: its counters are left out");
            }
        }
    }

    boolean hasAnswered() {
        return hasAnswered;
    }

    void addCountersTo(Map<String, Double> database, Map<String, Double> wal, List<ServerStatement> statementCounts) {
        if (hasAnswered) {
            counters.addTo(database, wal, statementCounts);
        }
    }

    void addWaitsTo(Map<String, Long> all) {
        waits.addTo(all);
    }

    /** Adds the counters that cover the measurement only. */
    void addMeasuredTo(Map<String, Double> checkpointer, List<IoCounts> io) {
        measured.addTo(checkpointer, io);
    }

    /**
     * Warnings about the server's own work within the measurement.
     *
     * @param requestsCheckpoints whether the load itself requests checkpoints
     */
    List<Remark> disturbances(boolean requestsCheckpoints) {
        return measured.disturbances(requestsCheckpoints);
    }

    /** The properties of its machine; null if unknown. */
    @Nullable
    Environment environment() {
        return machine.environment();
    }

    ServerList.Observed server() {
        return server;
    }

    /** Null if the machine's figures are unknown. */
    @Nullable
    MachineProfile hostProfile(double measureStart) {
        return hasAnswered ? machine.profile(measureStart) : null;
    }

    /** Adds the periods in which it did not answer or was slow. */
    void addAnswersTo(Findings findings) {
        answers.upTo(seconds()).forEach(findings::silence);
        answers.slow(seconds()).forEach(findings::suspect);
    }

    boolean counts() {
        return statements.isAsked();
    }

    @Nullable
    NodeStatements counted(boolean areWithoutText) {
        return hasAnswered ? statements.counted(areWithoutText) : null;
    }

    boolean isOf(Node node) {
        return node.equals(server.node());
    }

    String role() {
        return server.role();
    }

    /** The machine's load average at the last reading; null if unknown. */
    @Nullable
    Double loadAverage() {
        return machine.loadAverage();
    }

    /** Asks another question, with the same time limit. */
    <T> Bounded.Question<T> begin(Callable<T> question) {
        return asking.begin(question);
    }

    /** Asks a query; the answer is {@code otherwise} if it fails. */
    <T> Bounded.Question<T> begin(Servers.Query<T> query, T otherwise) {
        return asking.begin(() -> link.query(query, otherwise));
    }

    void hurry() {
        answers.hurry();
        asking.hurry();
    }

    @Override
    public void close() {
        asking.close();
        link.drop();
    }

    /** Samples of what the load's sessions wait for. One thread samples; any thread may read. */
    static final class WaitSamples {
        private final ServerLink link;

        /** Guarded by itself: the sampling thread may continue after the run has stopped waiting for it. */
        private final Map<String, Long> waits = new TreeMap<>();

        /** Whether the server denies access, so that it is not asked again; used by the sampling thread only. */
        private boolean isRefused;

        WaitSamples(ServerLink link) {
            this.link = link;
        }

        void sample() {
            if (isRefused) {
                return;
            }
            try (Statement statement = link.open().createStatement();
                    ResultSet rows = statement.executeQuery(ServerCounters.ACTIVITY)) {
                while (rows.next()) {
                    synchronized (waits) {
                        waits.merge(rows.getString(1), rows.getLong(2), Long::sum);
                    }
                }
            } catch (SQLException e) {
                isRefused = ServerErrors.sessionIsAlive(e);
                link.failed("wait events", e);
            }
        }

        /** Adds how often sessions were seen waiting for each event. */
        void addTo(Map<String, Long> all) {
            synchronized (waits) {
                waits.forEach((event, seen) -> all.merge(event, seen, Long::sum));
            }
        }
    }

    /** Notes figures that a server leaves out without an error because the role may not see them. */
    static final class ObserverRights {
        /** The roles that {@code pg_monitor} includes; none before PostgreSQL 10. Superusers have all. */
        private static final String SEES_ALL = """
            select coalesce(bool_and(pg_has_role(oid, 'usage')), current_setting('is_superuser') = 'on')
            from pg_roles where rolname in ('pg_read_all_stats', 'pg_read_all_settings')
            """;

        private ObserverRights() {}

        static void check(ServerLink link) {
            try (Statement statement = link.open().createStatement();
                    ResultSet row = statement.executeQuery(SEES_ALL)) {
                if (row.next() && !row.getBoolean(1)) {
                    link.missing(ServerRight.MONITOR, statement.getConnection());
                }
            } catch (SQLException e) {
                link.failed("rights", e);
            }
        }
    }

    /** A server's counts of the run's statements before and after the run. Not thread-safe. */
    static final class CountedStatements {
        private final ServerList.Observed server;
        private final ServerLink link;
        private final String query;
        private @Nullable StatementCounts before;
        private @Nullable StatementCounts after;

        /** @param plans describes what the run's statements look like on the servers that hold the data */
        CountedStatements(ServerList.Observed server, ServerLink link, Plans plans, TableName table) {
            this.server = server;
            this.link = link;
            String named = plans.onNodes(table);
            this.query = named.isEmpty() || !server.holdsData() ? "" : StatementCounts.query(named, plans.uncounted());
        }

        /** Whether this server counts the statements. */
        boolean isAsked() {
            return !query.isEmpty();
        }

        void readBefore() {
            before = read();
        }

        void readAfter() {
            after = read();
        }

        /**
         * The difference; null if the server does not count, does not answer, or was restarted.
         *
         * @param areWithoutText whether the run's statements have no text but a transaction
         */
        @Nullable
        NodeStatements counted(boolean areWithoutText) {
            StatementCounts then = before;
            StatementCounts now = after;
            if (then == null || now == null) {
                return null;
            }
            if (now.wasResetSince(then)) {
                link.noteOfNode(
                        now.full()
                                ? "pg_stat_statements of %s is full and dropped entries of the run's statements: not"
                                        + " compared (a larger pg_stat_statements.max counts all)"
                                : "%s reset its statement counters during the run (possibly by a restart): not compared");
                return null;
            }
            long twoPhase = now.twoPhaseSince(then);
            boolean isLeast = now.full() && twoPhase > 0;
            if (isLeast) {
                link.noteOfNode("pg_stat_statements of %s is full and drops entries; each two-phase commit is an entry:"
                        + " there were more of those than reported (a larger pg_stat_statements.max counts all)");
                if (areWithoutText) {
                    return null;
                }
            }
            long withoutText = areWithoutText ? Math.max(0, now.uncountedSince(then) - twoPhase) : 0;
            return new NodeStatements(
                    server.name(),
                    server.role(),
                    now.namedSince(then) + withoutText,
                    twoPhase,
                    isLeast,
                    now.textsSince(then));
        }

        private @Nullable StatementCounts read() {
            if (query.isEmpty()) {
                return null;
            }
            try {
                return StatementCounts.read(link.open(), query);
            } catch (SQLException e) {
                String remedy = StatementsView.remedy(e);
                if (remedy.isEmpty()) {
                    link.failed("statements", e);
                } else {
                    link.noteOfNode(StatementsView.UNAVAILABLE + remedy);
                }
                return null;
            }
        }
    }
}
