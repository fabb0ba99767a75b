package io.pgstress.probe.server;

import io.pgstress.measure.Timeline;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.ServerProfile.HostProfile;
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
 * What one server says: its counters, what its sessions wait for, what its machine did, what it counted of the run's statements, and
 * when it did not answer. It is asked on a thread of its own. Belongs to the run's thread.
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
        this.asking = new Bounded(maxSeconds);
    }

    /** Asks for the counters before the load, which {@link #started} waits for. */
    void readBefore() {
        open = asking.begin(() -> {
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

    /** The machine's figures and the checks count from now on. */
    void measureStarts() {
        asking.tell(() -> {
            answers.start(seconds());
            host.start();
        });
    }

    /** Seconds since the start of the load, pauses excluded. */
    private double seconds() {
        return timeline.sinceStart(System.nanoTime()) / 1e9;
    }

    /** Looks once at what the load's sessions do, unless the last look is not over. */
    void sampleWaits() {
        if (server.node() != null && isSampling.compareAndSet(false, true)) {
            tell(isSampling, waits::sample);
        }
    }

    /** Looks at the machine, and so whether the server answers, unless the last look is not over. */
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

    /** Asks whether it answers at all: where it does not, {@link #ended} does not wait for it. */
    void probe() {
        probe = asking.probe(link::answers);
    }

    void awaitProbe() throws InterruptedException {
        Bounded.Question<Boolean> asked = probe;
        if (asked != null) {
            asked.orElse(false);
        }
    }

    /** Asks for everything after the load, which {@link #ended} waits for. */
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

    /** Null where the machine does not say. */
    @Nullable
    HostProfile hostProfile(double measureStart) {
        return hasAnswered ? host.profile(measureStart) : null;
    }

    /** Adds when it did not answer, and when it was slow to. */
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

    /** Of its machine at the last look; null where unknown. */
    @Nullable
    Double loadAverage() {
        return host.loadAverage();
    }

    /** Asks something else, within the same time limit. */
    <T> Bounded.Question<T> begin(Callable<T> question) {
        return asking.begin(question);
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
