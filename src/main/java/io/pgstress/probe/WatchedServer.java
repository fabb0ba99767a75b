package io.pgstress.probe;

import io.pgstress.machine.Environment;
import io.pgstress.measure.Timeline;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.Remark;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.result.ServerProfile.IoCounts;
import io.pgstress.result.ServerProfile.ServerStatement;
import io.pgstress.runner.Findings;
import io.pgstress.runner.RunContext;
import io.pgstress.target.Node;
import java.util.List;
import java.util.Map;
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
    private final HostWatch host;
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
        this.host = new HostWatch(server, link, timeline);
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
            host.start();
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
            host.start();
            measured.start();
        });
    }

    /** Ends the period of the machine's totals. */
    void measureEnds() {
        asking.tell(() -> {
            host.end();
            measured.end();
        });
    }

    /** Seconds since the start of the load, pauses excluded. */
    private double seconds() {
        return timeline.sinceStart(System.nanoTime()) / 1e9;
    }

    /** Samples the sessions' waits, unless the previous sample is still pending. */
    void sampleWaits() {
        if (server.node() != null && isSampling.compareAndSet(false, true)) {
            tell(isSampling, waits::sample);
        }
    }

    /** Reads the machine, and so checks the server, unless the previous check is still pending. */
    void check() {
        if (isChecking.compareAndSet(false, true)) {
            answers.asked(seconds());
            tell(isChecking, this::look);
        }
    }

    private void tell(AtomicBoolean isUnderWay, Runnable question) {
        asking.tell(() -> {
            try {
                question.run();
            } finally {
                isUnderWay.set(false);
            }
        });
    }

    private void look() {
        if (host.look()) {
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
            host.tidy();
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
        return host.history().environment();
    }

    ServerList.Observed server() {
        return server;
    }

    /** Null if the machine's figures are unknown. */
    @Nullable
    HostProfile hostProfile(double measureStart) {
        return hasAnswered ? host.profile(measureStart) : null;
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
        return host.history().loadAverage();
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
        asking.hurry();
    }

    @Override
    public void close() {
        asking.close();
        link.drop();
    }
}
