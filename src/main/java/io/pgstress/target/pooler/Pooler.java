package io.pgstress.target.pooler;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is between the clients and the server.
 *
 * @param name such as {@code PgBouncer}
 * @param version null if it is not known
 * @param foundBy how it was recognized, in words
 * @param settings those that matter for a load, by name; empty if it does not show them
 */
public record Pooler(String name, @Nullable String version, String foundBy, Map<String, String> settings) {
    static final String PGBOUNCER = "PgBouncer";
    static final String PGPOOL = "pgpool-II";

    /** HAProxy, for example: it passes bytes on, so a session is the server's own. */
    static final String TCP = "TCP proxy or port mapping";

    static final String UNKNOWN = "unknown pooler";

    private static final String MODE = "pool_mode";

    public Pooler {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** One that announces the server's processes as a TCP proxy does, but shares them. */
    static Pooler sharing() {
        return new Pooler(UNKNOWN, null, "the server's process changes", Map.of());
    }

    /** Whether it only passes bytes on. */
    public boolean isTransparent() {
        return name.equals(TCP);
    }

    /** Whether it lends a session for one statement, so that no transaction is possible. */
    boolean lendsPerStatement() {
        return "statement".equals(settings.get(MODE));
    }

    /** Whether it may answer a query without the server. */
    boolean answersFromCache() {
        return name.equals(PGPOOL) && "on".equals(settings.get("memory_cache_enabled"));
    }

    /** Whether it sends the queries of a session to several servers. */
    boolean balancesQueries() {
        return name.equals(PGPOOL) && "on".equals(settings.get("load_balance_mode"));
    }

    /** Whether servers with data of their own are kept equal by it. */
    boolean replicates() {
        return name.equals(PGPOOL);
    }

    /** Its name with the version, if known. */
    public String label() {
        return version == null ? name : name + " " + version;
    }
}
