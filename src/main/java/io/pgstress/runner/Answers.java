package io.pgstress.runner;

import java.util.ArrayList;
import java.util.List;

/** The times in which a server that is asked every few seconds did not answer. Thread-safe. */
final class Answers {
    /** A question that was open for longer is a silence even where it was answered: the server stood still. */
    private static final double SILENCE_SECONDS = 5;

    private static final double NOTHING_ASKED = Double.POSITIVE_INFINITY;

    private final String name;
    private final String role;
    private final List<Silence> silences = new ArrayList<>();
    private double last;
    private double asked = NOTHING_ASKED;
    private boolean failed;

    /** @param role what the server is in the cluster */
    Answers(String name, String role) {
        this.name = name;
        this.role = role;
    }

    /** Counts from now on. */
    synchronized void start(double seconds) {
        last = seconds;
        asked = NOTHING_ASKED;
        failed = false;
        silences.clear();
    }

    /** It is asked; time in which nothing is asked is no silence. */
    synchronized void asked(double seconds) {
        asked = Math.min(asked, seconds);
    }

    /** It answered, at this time. */
    synchronized void answered(double seconds) {
        if (isSilentAt(seconds)) {
            silences.add(new Silence(name, role, last, seconds, true));
        }
        last = seconds;
        asked = NOTHING_ASKED;
        failed = false;
    }

    /** It could not be asked, or did not answer in time. */
    synchronized void failed() {
        failed = true;
    }

    private boolean isSilentAt(double seconds) {
        return failed || seconds - asked > SILENCE_SECONDS;
    }

    /** All of them up to this time. */
    synchronized List<Silence> upTo(double seconds) {
        List<Silence> all = new ArrayList<>(silences);
        if (isSilentAt(seconds)) {
            all.add(new Silence(name, role, last, seconds, false));
        }
        return all;
    }
}
