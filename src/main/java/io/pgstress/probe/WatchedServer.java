package io.pgstress.probe;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineWatch;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.OperationProfile.OperationTrait;
import io.pgstress.plan.RunOptions;
import io.pgstress.probe.server.HostReader;
import io.pgstress.probe.server.MeasuredCounters;
import io.pgstress.probe.server.Notes;
import io.pgstress.probe.server.ServerCounters;
import io.pgstress.probe.server.ServerLink;
import io.pgstress.probe.server.ServerList;
import io.pgstress.probe.server.ServerPart;
import io.pgstress.probe.server.StatementCounts;
import io.pgstress.probe.server.StatementCounts.Counted;
import io.pgstress.probe.waits.OpenLocks;
import io.pgstress.probe.waits.WaitSamples;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.Findings;
import io.pgstress.runner.RunContext;
import io.pgstress.target.MissingGrants.ServerRight;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.verdict.SilentServers.Silence;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Observes one server: its machine, when it did not answer, and what the parts in its two lists read. It is queried on its own
 * thread, which calls these parts. Belongs to the run's thread.
 */
final class WatchedServer implements AutoCloseable {
    /** The roles that {@code pg_monitor} includes; none before PostgreSQL 10. Superusers have all. */
    private static final String SEES_ALL = """
        select coalesce(bool_and(pg_has_role(oid, 'usage')), current_setting('is_superuser') = 'on')
        from pg_roles where rolname in ('pg_read_all_stats', 'pg_read_all_settings')
        """;

    private final ServerList.ObservedServer server;
    private final Timeline timeline;
    private final ServerLink link;
    private final HostReader files;
    private final MachineWatch machine;
    private final Answers answers;
    private final QuestionThread thread;

    /** From the start of the load until after it; of a server that does not answer then, nothing counts. */
    private final List<ServerPart> ofWholeRun = new ArrayList<>();

    /** From the start of the measurement to its end. */
    private final List<ServerPart> ofMeasurement = new ArrayList<>();

    private final StatementCounts statements;
    private final boolean hasSessions;
    private final Dialect dialect;
    private final AtomicBoolean isChecking = new AtomicBoolean();
    private QuestionThread.@Nullable Question<Boolean> open;
    private QuestionThread.@Nullable Question<Boolean> probe;
    private boolean hasAnswered;
    private final CountDownLatch isProbed = new CountDownLatch(1);
    private volatile @Nullable Remark openLocks;

    /** Whether it answered before the load: one that refuses this role, or is behind a firewall, is not asked more often than needed. */
    private volatile boolean isReachable;

    WatchedServer(
            ServerList.ObservedServer server,
            RunContext run,
            Notes notes,
            WaitSamples.Questions questions,
            long maxSeconds) {
        this.server = server;
        this.timeline = run.timeline();
        this.link = new ServerLink(server, notes);
        this.files = new HostReader(link);
        this.machine = new MachineWatch(server.name(), server.role(), server.local(), files, timeline::sinceStart);
        this.answers = new Answers(server.name(), server.role(), server.url());
        this.thread = new QuestionThread(maxSeconds);
        this.statements = new StatementCounts(
                server, link, run.target().dialect().plans(), run.table().name());
        String url = server.url();
        if (url != null) {
            ofWholeRun.add(new ServerCounters(url, link));
        }
        this.dialect = run.target().dialect();
        this.hasSessions = url != null || (server.holdsData() && dialect.sessionNumbers() != null);
        if (hasSessions && !run.spec().get(RunOptions.NO_WAIT_SAMPLES)) {
            ofMeasurement.add(new WaitSamples(run, server, notes, questions));
        }
        ofWholeRun.add(statements);
        ofMeasurement.add(new MeasuredCounters(
                link, run.operations().stream().anyMatch(o -> o.profile().has(OperationTrait.REQUESTS_CHECKPOINTS))));
    }

    /** Requests what is read before the load; {@link #started} waits for it. */
    void start() {
        open = thread.begin(() -> {
            noteMissingRights();
            for (ServerPart part : ofWholeRun) {
                part.begin();
            }
            machine.start();
            isReachable = link.answers();
            return true;
        });
    }

    /** Notes figures that a server leaves out without an error because the role may not see them. */
    private void noteMissingRights() {
        try {
            if (!ControlSql.holds(link.open(), SEES_ALL)) {
                link.missing(ServerRight.MONITOR, link.open());
            }
        } catch (SQLException e) {
            link.failed("rights", e);
        }
    }

    void started() throws InterruptedException {
        answer();
    }

    private boolean answer() throws InterruptedException {
        QuestionThread.Question<Boolean> question = open;
        return question != null && question.orElse(false);
    }

    void measureStarts() {
        answers.start(seconds()); // not by its thread, which may wait for an answer
        thread.tell(() -> {
            machine.start();
            ofMeasurement.forEach(ServerPart::begin);
        });
    }

    void measureEnds() {
        thread.tell(() -> {
            machine.end();
            for (ServerPart part : ofMeasurement) {
                part.end();
            }
        });
    }

    /** Seconds since the start of the load, pauses excluded. */
    private double seconds() {
        return timeline.sinceStart(System.nanoTime()) / 1e9;
    }

    /** Reads the machine, and so checks the server, unless the previous check is still pending. */
    void check() {
        if (!isChecking.get()) { // only this thread sets it
            answers.asked(seconds());
            thread.tell(isChecking, this::look);
        }
    }

    /** Checks only whether the server answers, unless the previous check is still pending: in a cluster, which of the servers fell silent. */
    void ping() {
        if (isReachable && !isChecking.get()) { // only this thread sets it
            answers.asked(seconds());
            thread.tell(isChecking, () -> record(link.answers()));
        }
    }

    private void record(boolean isAnswered) {
        if (isAnswered) {
            answers.answered(seconds());
        } else {
            answers.failed();
        }
    }

    private void look() {
        record(machine.sample() || link.answers());
    }

    /**
     * Checks whether the server answers at all, and reads which locks the run's sessions wait for; if not, {@link #contribute} does not
     * wait for it.
     */
    void probe() {
        probe = thread.probe(() -> {
            try {
                boolean isAnswered = link.answers();
                if (isAnswered && hasSessions) {
                    readOpenLocks();
                }
                return isAnswered;
            } finally {
                isProbed.countDown();
            }
        });
    }

    /** Waits for the locks, which {@link #probe} requested; not beyond this time of {@link System#nanoTime}. */
    void awaitLocks(long until) throws InterruptedException {
        boolean unused = isProbed.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void readOpenLocks() {
        try {
            openLocks = OpenLocks.remark(link.open(), dialect, server).orElse(null);
        } catch (SQLException e) {
            link.failed("locks", e);
        }
    }

    void awaitProbe() throws InterruptedException {
        QuestionThread.Question<Boolean> asked = probe;
        if (asked != null) {
            asked.orElse(false);
        }
    }

    /** Requests what is read after the load; {@link #ended} waits for it. */
    void loadEnds() {
        answers.asked(seconds());
        open = thread.begin(() -> {
            look();
            for (ServerPart part : ofWholeRun) {
                part.end();
            }
            files.tidy();
            return true;
        });
    }

    void ended() throws InterruptedException {
        hasAnswered = answer();
        if (!hasAnswered) {
            answers.failed();
            if (server.node() != null) {
                link.note(RemarkCode.SILENT_AFTER_RUN
                        .with("server", server.node().url())
                        .remark());
            }
        }
    }

    void contribute(Findings findings) {
        if (hasAnswered) {
            ofWholeRun.forEach(part -> part.contribute(findings));
        }
        ofMeasurement.forEach(part -> part.contribute(findings));
        Remark locks = openLocks;
        if (locks != null) {
            findings.evidence().openLocks(locks);
        }
        findings.nodeMachine(
                server.name(),
                hasAnswered
                        ? machine.profile(
                                findings.measureStart(), findings.recorded().seconds())
                        : null);
        answers.upTo(seconds()).forEach(findings::silence);
        answers.late(seconds()).forEach(findings::lateAnswer);
    }

    /** Whether it has answered after the load. */
    boolean hasAnswered() {
        return hasAnswered;
    }

    ServerList.ObservedServer server() {
        return server;
    }

    /** The properties of its machine; null if unknown. */
    @Nullable
    Environment environment() {
        return machine.environment();
    }

    /** The machine's load average at the last reading; null if unknown. */
    @Nullable
    Double loadAverage() {
        return machine.loadAverage();
    }

    /** Whether it counts the run's statements. */
    boolean counts() {
        return statements.isAsked();
    }

    /**
     * Its counts of the run's statements; null if they are unknown.
     *
     * @param areWithoutText whether the run's statements have no text but a transaction
     */
    @Nullable
    Counted counted(boolean areWithoutText) {
        return hasAnswered ? statements.counted(areWithoutText) : null;
    }

    /** Asks another question, with the same time limit. */
    <T> QuestionThread.Question<T> begin(Callable<T> question) {
        return thread.begin(question);
    }

    /** The answer of a query, with the same time limit; {@code otherwise} if it failed. */
    <T> T query(ServerLink.Query<T> query, T otherwise) throws InterruptedException {
        return begin(() -> link.query(query, otherwise)).orElse(otherwise);
    }

    void hurry() {
        answers.hurry();
        thread.hurry();
    }

    @Override
    public void close() {
        thread.close();
        ofMeasurement.forEach(ServerPart::close);
        link.drop();
    }

    /** The times at which a server, asked every few seconds, did not answer. Thread-safe. */
    static final class Answers {
        /** A question open for longer counts as a silence even if it was answered: the server stood still. */
        private static final double SILENCE_SECONDS = 5;

        /** A slower answer indicates that the server was slow for others too. */
        private static final double SLOW_SECONDS = 0.25;

        private static final double NOTHING_ASKED = Double.POSITIVE_INFINITY;

        private final String name;
        private final String role;
        private final @Nullable String url;
        private final List<Silence> silences = new ArrayList<>();
        private final List<Silence> late = new ArrayList<>();
        private double last;
        private double asked = NOTHING_ASKED;
        private boolean failed;
        private boolean hurried;

        /**
         * @param role the server's role in the cluster
         * @param url the URL that clients use for it; null if they do not connect to it
         */
        Answers(String name, String role, @Nullable String url) {
            this.name = name;
            this.role = role;
            this.url = url;
        }

        /** Starts counting; a question that is open was asked before. */
        synchronized void start(double seconds) {
            if (asked == NOTHING_ASKED) {
                last = seconds;
                failed = false;
            }
            silences.clear();
            late.clear();
        }

        /** Records a question. A period without questions is not a silence. */
        synchronized void asked(double seconds) {
            asked = Math.min(asked, seconds);
        }

        /** Records an answer at this time. */
        synchronized void answered(double seconds) {
            if (isSilentAt(seconds)) {
                silences.add(silence(seconds, true));
            }
            if (seconds - asked > SLOW_SECONDS) {
                late.add(silence(seconds, true));
            }
            last = seconds;
            asked = NOTHING_ASKED;
            failed = false;
        }

        /** From now on the server gets less time to answer than it may need, because the run was aborted. */
        synchronized void hurry() {
            hurried = true;
        }

        /** Records that it could not be asked, or did not answer in time. */
        synchronized void failed() {
            failed |= !hurried;
        }

        private boolean isSilentAt(double seconds) {
            return failed || seconds - asked > SILENCE_SECONDS;
        }

        /** All silences up to this time. */
        synchronized List<Silence> upTo(double seconds) {
            List<Silence> all = new ArrayList<>(silences);
            if (isSilentAt(seconds)) {
                all.add(silence(seconds, false));
            }
            return all;
        }

        private Silence silence(double to, boolean isOver) {
            return new Silence(name, role, url, last, asked == NOTHING_ASKED ? last : asked, to, isOver);
        }

        /** The periods up to this time in which a question was open for long, even if it was answered. */
        synchronized List<Silence> late(double seconds) {
            List<Silence> all = new ArrayList<>(late);
            if (seconds - asked > SLOW_SECONDS) {
                all.add(silence(seconds, true));
            }
            return all;
        }
    }
}
