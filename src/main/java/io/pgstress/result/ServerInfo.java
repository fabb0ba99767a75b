package io.pgstress.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server that clients connected to.
 *
 * @param kind the dialect
 * @param settings those that differ from the server's defaults, and the requested ones, with the values in force
 * @param transferFormat of the data column, {@code text} or {@code binary}
 */
public record ServerInfo(
        String url,
        String role,
        String version,
        String kind,
        Map<String, String> settings,
        String transferFormat,
        @Nullable Double loadAverage) {}
