package io.pgstress.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The times in which a server that is asked every few seconds did not answer. Thread-safe. */
final class Answers {
    /** A longer silence is one even where nothing failed: the server stood still. */
    private static final double SILENCE_SECONDS = 5;

    private final String name;
    private final List<String> silences = new ArrayList<>();
    private double last;
    private boolean failed;

    /** @param name of the server, with its role */
    Answers(String name) {
        this.name = name;
    }

    /** Counts from now on. */
    synchronized void start(double seconds) {
        last = seconds;
        failed = false;
        silences.clear();
    }

    /** It answered, at this time. */
    synchronized void answered(double seconds) {
        if (failed || seconds - last > SILENCE_SECONDS) {
            silences.add(String.format(Locale.ROOT, "%s did not answer from %.1f s to %.1f s", name, last, seconds));
        }
        last = seconds;
        failed = false;
    }

    /** It could not be asked. */
    synchronized void failed() {
        failed = true;
    }

    /** In words, up to this time. */
    synchronized List<String> upTo(double seconds) {
        List<String> all = new ArrayList<>(silences);
        if (failed || seconds - last > SILENCE_SECONDS) {
            all.add(String.format(Locale.ROOT, "%s did not answer from %.1f s to the end", name, last));
        }
        return all;
    }
}
