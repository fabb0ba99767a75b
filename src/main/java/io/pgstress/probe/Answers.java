package io.pgstress.probe;

import io.pgstress.verdict.LongTimes.Suspect;
import io.pgstress.verdict.SilentServers.Silence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The times at which a server, asked every few seconds, did not answer. Thread-safe. */
final class Answers {
    /** A question open for longer counts as a silence even if it was answered: the server stood still. */
    private static final double SILENCE_SECONDS = 5;

    /** A slower answer indicates that the server was slow for others too. */
    private static final double SLOW_SECONDS = 0.25;

    private static final double NOTHING_ASKED = Double.POSITIVE_INFINITY;

    private final String name;
    private final String role;
    private final @Nullable String url;
    private final List<Silence> silences = new ArrayList<>();
    private final List<Suspect> slow = new ArrayList<>();
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

    /** Starts counting. */
    synchronized void start(double seconds) {
        last = seconds;
        asked = NOTHING_ASKED;
        failed = false;
        silences.clear();
        slow.clear();
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
            slow.add(unanswered(seconds));
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

    private Suspect unanswered(double to) {
        return new Suspect(Suspect.Kind.SERVER, silence(to, true).name(), asked, to, to - asked);
    }

    /** The periods up to this time in which a question was open for long. */
    synchronized List<Suspect> slow(double seconds) {
        List<Suspect> all = new ArrayList<>(slow);
        if (seconds - asked > SLOW_SECONDS) {
            all.add(unanswered(seconds));
        }
        return all;
    }
}
