package io.pgstress.operation.pgbench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How long the phases of a set-up took. Belongs to one thread. */
final class PhaseTimes {
    private final List<String> phases = new ArrayList<>();
    private double all;

    /** A phase. */
    interface Work {
        void run() throws SQLException;
    }

    /** Does the work and records its duration. */
    void time(String phase, Work work) throws SQLException {
        long start = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - start) / 1e9;
        all += seconds;
        phases.add(String.format(Locale.ROOT, "%s %.1f s", phase, seconds));
    }

    boolean isEmpty() {
        return phases.isEmpty();
    }

    /** For example {@code 12.3 s (tables 0.1 s, rows 12.2 s)}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.1f s (%s)", all, String.join(", ", phases));
    }
}
