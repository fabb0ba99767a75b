package io.pgstress.plan.server;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * A PostgreSQL for a command to start. Equal requests share a server.
 *
 * @param build a version such as {@code 17} or {@code 17.5}, or the folder of the programs; empty: the embedded server, which keeps its
 *     data. {@code #2} after it is a further server of the same build, {@code cluster 2} the second cluster of a variant
 * @param settings its settings, in the order given
 * @param dump the dump to import; empty: the sample data
 */
public record ServerRequest(String build, Map<String, String> settings, String dump) {
    public static final ServerRequest EMBEDDED = new ServerRequest("", Map.of(), "");

    private static final Pattern VERSION = Pattern.compile("\\d{1,4}(\\.\\d{1,4})*");
    private static final Pattern NUMBER = Pattern.compile("( #\\d+)?( cluster \\d+)?$");

    /**
     * Reads a {@link #build}.
     *
     * @throws IllegalArgumentException if it is neither a version nor a path
     */
    public static String build(String text) {
        String name = NUMBER.matcher(text).replaceFirst("");
        if (!VERSION.matcher(name).matches() && !name.contains("/") && !name.contains("\\")) {
            throw new IllegalArgumentException(
                    "must be a version such as 17 or 17.5, or a folder such as /usr/lib/postgresql/17/bin, was '" + name
                            + "'");
        }
        return text;
    }

    /** The same build for another server. */
    public static String again(String build, int number) {
        return build + " #" + number;
    }

    /** The same build for another cluster of the same variant; the first one is that of the build itself. */
    public static String cluster(String build, int number) {
        return number == 1 ? build : build + " cluster " + number;
    }

    /** The version or the folder. */
    public String buildName() {
        return NUMBER.matcher(build).replaceFirst("");
    }

    public boolean isVersion() {
        return VERSION.matcher(buildName()).matches();
    }

    public boolean isEmbedded() {
        return build.isEmpty();
    }

    /** {@code the embedded PostgreSQL}, {@code PostgreSQL 17} or {@code PostgreSQL in /opt/pg/bin}. */
    @Override
    public String toString() {
        return isEmbedded() ? "the embedded PostgreSQL" : "PostgreSQL " + (isVersion() ? "" : "in ") + buildName();
    }
}
