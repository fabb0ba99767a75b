package io.pgstress.runner;

import io.pgstress.plan.Endpoint;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.target.ClusterNode;
import io.pgstress.verdict.Silence;
import io.pgstress.verdict.Suspect;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One server's own word: what its machine did, what it counted of the run's statements, and when it did not answer. It is
 * asked on a thread of its own, so that one that does not answer holds up nobody.
 */
final class PeerWatch implements AutoCloseable {
    private static final long MAX_SECONDS = 5;

    private final ClusterNode peer;
    private final PeerLink link;
    private final PeerHost host;
    private final PeerStatements statements;
    private final Answers answers;
    private final Bounded asking = new Bounded(MAX_SECONDS);
    private final AtomicBoolean sampling = new AtomicBoolean();
    private Bounded.@Nullable Question<LastWord> finishing;
    private Bounded.@Nullable Question<Boolean> probe;

    /**
     * @param named, uncounted the conditions of {@link io.pgstress.target.dialect.Plans}; empty: statements are not counted
     * @param url under which clients connect to it; null where they do not
     */
    PeerWatch(ClusterNode peer, @Nullable String url, String named, String uncounted, Notes notes) {
        this.peer = peer;
        this.link = new PeerLink(peer, notes);
        this.host = new PeerHost(peer, link);
        this.statements = new PeerStatements(peer, link, named, uncounted);
        this.answers = new Answers(peer.name(), peer.role(), url);
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
        return new Seen(peer.role(), host.loadAverage());
    }

    /** Whether it is one that is to count the run's statements. */
    boolean counts() {
        return statements.isAsked();
    }

    /** The run is about to begin. */
    void start() throws InterruptedException {
        asking.ask(
                () -> {
                    statements.start();
                    host.start();
                    return true;
                },
                false);
    }

    /** The machine's figures count from now on. */
    void measureStarts() {
        asking.tell(() -> {
            answers.start(0);
            host.start();
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
        if (host.look(origin)) {
            answers.answered(secondsSince(origin));
        } else {
            answers.failed();
        }
    }

    /** When it did not answer, up to now. */
    List<Silence> silences(long origin) {
        return answers.upTo(secondsSince(origin));
    }

    /** When it was slow to answer, up to now. */
    List<Suspect> slow(long origin) {
        return answers.slow(secondsSince(origin));
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

    /** Asks whether it answers at all: where it does not, {@link #lastWord} does not wait for it. */
    void probe() {
        probe = asking.probe(link::answers);
    }

    void awaitProbe() throws InterruptedException {
        Bounded.Question<Boolean> asked = probe;
        if (asked != null) {
            asked.orElse(false);
        }
    }

    /**
     * Asks for the last word, which {@link #lastWord} waits for.
     *
     * @param plansUncounted whether the run's statements are such that come without a text, but with a transaction
     */
    void finish(long origin, boolean plansUncounted) {
        answers.asked(secondsSince(origin));
        finishing = asking.begin(() -> {
            look(origin);
            return new LastWord(true, host.profile(origin), statements.since(plansUncounted));
        });
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

    /** Waits for answers only a moment from now on; may be called by any thread. */
    void hurry() {
        asking.hurry();
    }

    @Override
    public void close() {
        asking.close();
        link.drop();
    }
}
