package io.pgstress.runner;

import io.pgstress.result.RunResult.Outage;
import java.util.Locale;

/**
 * A time in which a server did not answer.
 *
 * @param node its name
 * @param role what it is in the cluster
 * @param from its last answer before, in seconds since the start of the measurement
 * @param to its next one, or when it was last looked at
 * @param isOver whether it answered again
 */
record Silence(String node, String role, double from, double to, boolean isOver) {
    String words() {
        String begin = String.format(Locale.ROOT, "%s (%s) did not answer from %.1f s to ", node, role, from);
        return begin + (isOver ? String.format(Locale.ROOT, "%.1f s", to) : "the end");
    }

    Outage outage() {
        return new Outage(Math.max(0, from), to, node, true);
    }
}
