package io.pgstress.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was between the clients and a server.
 *
 * @param name {@code PgBouncer}, {@code pgpool-II}, {@code TCP proxy or port mapping}, or {@code unknown pooler}
 * @param version null if it is not known
 * @param pooling {@code session} or {@code transaction}, as the connections behaved; null for a TCP proxy, which pools nothing
 * @param foundBy how it was recognized, in words
 * @param settings those that matter for a load; empty if it does not show them
 */
public record PoolerInfo(
        String name, @Nullable String version, @Nullable String pooling, String foundBy, Map<String, String> settings) {

    /** The whole in words. */
    public String words() {
        StringBuilder words = new StringBuilder(name);
        if (version != null) {
            words.append(' ').append(version);
        }
        if (pooling != null) {
            words.append(", ").append(pooling).append(" pooling");
        }
        words.append(" (").append(foundBy).append(')');
        String separator = ": ";
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            words.append(separator).append(setting.getKey()).append('=').append(setting.getValue());
            separator = ", ";
        }
        return words.toString();
    }
}
