package io.pgstress.runner;

import io.pgstress.plan.Endpoint;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.result.ServerProfile.HostSample;
import io.pgstress.target.Member;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One server's own word: what its machine did, and what it counted of the run's statements. It is asked on a thread of its
 * own, so that one that does not answer holds up nobody.
 */
final class PeerWatch implements AutoCloseable {
    private static final long MOST_SECONDS = 5;

    private final Member peer;
    private final Set<String> notes;
    private final String counts;
    private final HostReader reader;
    private final Bounded asking = new Bounded(MOST_SECONDS);
    private final AtomicBoolean sampling = new AtomicBoolean();
    private final List<HostSample> samples = new ArrayList<>();
    private @Nullable Connection connection;
    private @Nullable HostCounters first;
    private volatile @Nullable HostCounters last;
    private @Nullable StatementCounts before;
    private final Answers answers;
    private Bounded.@Nullable Question<LastWord> finishing;
    private boolean readable = true;

    /**
     * @param named, uncounted the conditions of {@link io.pgstress.target.dialect.Plans}; empty: statements are not counted
     * @param notes thread-safe
     */
    PeerWatch(Member peer, String named, String uncounted, Set<String> notes) {
        this.peer = peer;
        this.notes = notes;
        this.reader = new HostReader(peer.local());
        this.answers = new Answers(peer.name() + " (" + peer.role() + ")");
        this.counts = named.isEmpty() || !peer.holdsData() ? "" : StatementCounts.query(named, uncounted);
    }

    /** Whether it is the one that clients reach there. */
    boolean isAt(Endpoint endpoint) {
        return peer.connector().endpoint().isSameServer(endpoint);
    }

    /**
     * What it is.
     *
     * @param role in the cluster; {@code server} where there is none
     * @param loadAverage of its machine at the end; null where it did not tell
     */
    record Seen(String role, @Nullable Double loadAverage) {}

    Seen seen() {
        HostCounters end = last;
        return new Seen(peer.role(), end == null ? null : end.loadAverage());
    }

    /** The run is about to begin. */
    void start() throws InterruptedException {
        asking.ask(
                () -> {
                    before = statements();
                    first = host();
                    last = first;
                    return true;
                },
                false);
    }

    /** The machine's figures count from now on. */
    void measureStarts() {
        asking.tell(() -> {
            answers.start(0);
            HostCounters now = host();
            first = now == null ? first : now;
            last = first;
            samples.clear();
        });
    }

    /** Looks at the machine, unless the last look is not over. */
    void sample(long origin) {
        if (sampling.compareAndSet(false, true)) {
            answers.asked(secondsSince(origin));
            asking.tell(() -> {
                try {
                    look(origin);
                } finally {
                    sampling.set(false);
                }
            });
        }
    }

    private void look(long origin) {
        HostCounters now = readable ? host() : null;
        if (now == null && !isThere()) {
            answers.failed();
            return;
        }
        answers.answered(secondsSince(origin));
        HostCounters then = last;
        if (now != null && then != null) {
            HostSample sample = now.since(then, origin);
            if (sample != null) {
                samples.add(sample);
            }
        }
        last = now == null ? last : now;
    }

    private boolean isThere() {
        try (Statement statement = connection().createStatement()) {
            statement.execute("select 1");
            return true;
        } catch (SQLException e) {
            drop();
            return false;
        }
    }

    /** When it did not answer, in words. */
    List<String> silences(long origin) {
        return answers.upTo(secondsSince(origin));
    }

    private static double secondsSince(long origin) {
        return (System.nanoTime() - origin) / 1e9;
    }

    /**
     * What it had to say at the end.
     *
     * @param answered whether it did so in time
     * @param host what the machine did from the start on, or null where it does not tell
     * @param statements what it counted of the run's statements, or null where it does not count or tell
     */
    record LastWord(
            boolean answered,
            @Nullable HostProfile host,
            @Nullable NodeStatements statements) {
        private static final LastWord NONE = new LastWord(false, null, null);
    }

    /**
     * Asks for the last word, which {@link #lastWord} waits for.
     *
     * @param plansUncounted whether the run's statements are such that come without a text, but with a transaction
     */
    void finish(long origin, boolean plansUncounted) {
        answers.asked(secondsSince(origin));
        finishing = asking.begin(() -> new LastWord(true, profile(origin), difference(plansUncounted)));
    }

    /** What {@link #finish} asked for. */
    LastWord lastWord() throws InterruptedException {
        Bounded.Question<LastWord> asked = finishing;
        LastWord word = asked == null ? LastWord.NONE : asked.orElse(LastWord.NONE);
        if (!word.answered()) {
            answers.failed();
        }
        return word;
    }

    private @Nullable HostProfile profile(long origin) throws SQLException {
        look(origin);
        HostCounters start = first;
        HostCounters end = last;
        HostSample all = start == null || end == null ? null : end.since(start, origin);
        Connection open = connection;
        if (open != null && readable) {
            reader.tidy(open);
        }
        return all == null
                ? null
                : new HostProfile(
                        peer.name(),
                        peer.role(),
                        all.cpuBusy(),
                        all.loadAverage(),
                        all.inMbitPerSecond(),
                        all.outMbitPerSecond(),
                        all.diskWriteMbPerSecond(),
                        List.copyOf(samples));
    }

    private @Nullable NodeStatements difference(boolean plansUncounted) {
        StatementCounts then = before;
        StatementCounts now = statements();
        if (then == null || now == null) {
            return null;
        }
        if (now.beganAnewSince(then)) {
            notes.add(peer.name() + " counted statements anew during the run (a restart): not compared");
            return null;
        }
        long twoPhase = now.twoPhaseSince(then);
        if (now.full() && twoPhase > 0) {
            notes.add("pg_stat_statements of " + peer.name()
                    + " is full and drops entries, of which each two-phase commit"
                    + " is one: there were more of those than told");
            if (plansUncounted) {
                return null;
            }
        }
        long withoutText = plansUncounted ? Math.max(0, now.uncountedSince(then) - twoPhase) : 0;
        return new NodeStatements(peer.name(), peer.role(), now.namedSince(then) + withoutText, twoPhase);
    }

    private @Nullable StatementCounts statements() {
        if (counts.isEmpty()) {
            return null;
        }
        try {
            return StatementCounts.read(connection(), counts);
        } catch (SQLException e) {
            failed("statements", e);
            return null;
        }
    }

    private @Nullable HostCounters host() {
        if (!readable) {
            return null;
        }
        try {
            return reader.read(connection());
        } catch (SQLException e) {
            readable = !ServerErrors.sessionIsAlive(e);
            failed("/proc", e);
        } catch (IllegalArgumentException e) {
            readable = false;
            notes.add("/proc of " + peer.name() + " not readable: " + e.getMessage());
        }
        return null;
    }

    private void failed(String what, SQLException e) {
        notes.add(what + " of " + peer.name() + " not readable: " + ServerErrors.sampleOf(e) + " (SQLSTATE "
                + ServerErrors.stateOf(e) + ")");
        if (!ServerErrors.sessionIsAlive(e)) {
            drop();
        }
    }

    private Connection connection() throws SQLException {
        Connection open = connection;
        if (open == null || open.isClosed()) {
            open = peer.connector().openControl();
            connection = open;
        }
        return open;
    }

    private void drop() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            Connector.abort(open);
        }
    }

    @Override
    public void close() {
        asking.close();
        drop();
    }
}
