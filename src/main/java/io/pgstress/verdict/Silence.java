package io.pgstress.verdict;

import io.pgstress.result.Outage;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A period in which a server did not answer the checks of its control connection. Checks are seconds apart, so they tell which server
 * was silent but only roughly when. Seconds since the start of the measurement.
 *
 * @param node the server's name
 * @param role its role in the cluster
 * @param url the URL that clients use; null if they do not connect to it
 * @param from its last answer before
 * @param asked the first unanswered check
 * @param to its next answer, or the last check
 * @param isOver whether it answered again
 */
public record Silence(
        String node, String role, @Nullable String url, double from, double asked, double to, boolean isOver) {
    public String name() {
        return node.equals(url) && role.equals("server") ? node : node + " (" + role + ")";
    }

    /** The same period in seconds since this time. */
    public Silence since(double seconds) {
        return new Silence(node, role, url, from - seconds, asked - seconds, to - seconds, isOver);
    }

    /** When it ended, as text: {@code 3.5 s} or {@code the end}. */
    String end() {
        return isOver ? String.format(Locale.ROOT, "%.1f s", to) : "the end";
    }

    /** The silence as an outage that only the checks noticed. */
    Outage outage() {
        return new Outage(Math.max(0, from), to, node, true);
    }

    /** Whether it may be the same period as the outage. */
    boolean meets(Outage outage) {
        return from < outage.toSeconds() && to > outage.fromSeconds();
    }
}
