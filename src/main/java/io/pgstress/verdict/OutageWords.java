package io.pgstress.verdict;

import io.pgstress.result.Outage;
import java.util.List;
import java.util.Locale;

/** Describes an outage in a sentence, with the figures used everywhere. */
public final class OutageWords {
    private OutageWords() {}

    /** Describes an outage that clients noticed. */
    public static String of(Outage outage) {
        return String.format(
                Locale.ROOT,
                "no operation succeeded%s from %.3f s to %.3f s (%.3f s%s)",
                outage.node() == null ? "" : " on " + outage.node(),
                outage.fromSeconds(),
                outage.toSeconds(),
                outage.toSeconds() - outage.fromSeconds(),
                silent(outage.silentServers()));
    }

    private static String silent(List<String> servers) {
        return servers.isEmpty() ? "" : "; " + String.join(", ", servers) + " did not answer either";
    }
}
