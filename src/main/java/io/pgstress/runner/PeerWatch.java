package io.pgstress.runner;

import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.result.ServerProfile.HostSample;
import io.pgstress.target.Member;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.ResultSet;
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
    private static final String COUNTS =
            "select coalesce(sum(calls) filter (where %s), 0), coalesce(sum(calls) filter (where query ~ '^PREPARE TRANSACTION'), 0),"
                    + " coalesce(sum(calls) filter (where %s), 0) from pg_stat_statements"
                    + " where dbid = (select oid from pg_database where datname = current_database())";

    private final Member peer;
    private final Set<String> notes;
    private final String counts;
    private final HostReader reader;
    private final Bounded asking = new Bounded(MOST_SECONDS);
    private final AtomicBoolean sampling = new AtomicBoolean();
    private final List<HostSample> samples = new ArrayList<>();
    private @Nullable Connection connection;
    private @Nullable HostCounters first;
    private @Nullable HostCounters last;
    private long @Nullable [] before;
    private final Answers answers;
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
        this.counts = named.isEmpty() || !peer.holdsData()
                ? ""
                : COUNTS.replaceFirst("%s", java.util.regex.Matcher.quoteReplacement(named))
                        .replaceFirst(
                                "%s",
                                java.util.regex.Matcher.quoteReplacement(uncounted.isEmpty() ? "false" : uncounted));
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
        answers.answered((System.nanoTime() - origin) / 1e9);
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
        return answers.upTo((System.nanoTime() - origin) / 1e9);
    }

    /** What the machine did from the start until now, or null where it does not tell. */
    @Nullable
    HostProfile finish(long origin) throws InterruptedException {
        return asking.ask(() -> java.util.Optional.ofNullable(profile(origin)), java.util.Optional.<HostProfile>empty())
                .orElse(null);
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

    /**
     * What it counted of the run's statements, or null where it does not count or tell.
     *
     * @param plansUncounted whether the run's statements are such that come without a text, but with a transaction
     */
    @Nullable
    NodeStatements counted(boolean plansUncounted) throws InterruptedException {
        return asking.ask(
                        () -> java.util.Optional.ofNullable(difference(plansUncounted)),
                        java.util.Optional.<NodeStatements>empty())
                .orElse(null);
    }

    private @Nullable NodeStatements difference(boolean plansUncounted) {
        long[] then = before;
        long[] now = statements();
        if (then == null || now == null) {
            return null;
        }
        for (int i = 0; i < now.length; i++) {
            if (now[i] < then[i]) {
                notes.add(peer.name() + " counted statements anew during the run (a restart): not compared");
                return null;
            }
            now[i] -= then[i];
        }
        long withoutText = plansUncounted ? Math.max(0, now[2] - now[1]) : 0;
        return new NodeStatements(peer.name(), peer.role(), now[0] + withoutText, now[1]);
    }

    private long @Nullable [] statements() {
        if (counts.isEmpty()) {
            return null;
        }
        try (Statement statement = connection().createStatement();
                ResultSet row = statement.executeQuery(counts)) {
            row.next();
            return new long[] {row.getLong(1), row.getLong(2), row.getLong(3)};
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
