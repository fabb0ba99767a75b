package io.pgstress.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server that clients connected to.
 *
 * @param kind the dialect
 * @param settings the values in force of settings that differ from the server's defaults or were requested
 * @param transport {@code tcp}, or {@code unix} for a Unix socket
 * @param tls protocol and cipher of the sessions, as the server sees them; null without TLS
 * @param transferFormat the format in which the data column is transferred, {@code text} or {@code binary}
 * @param pooling how a pooler between the clients and the server lends sessions, as they behaved: {@code session} or {@code
 *     transaction}; {@code none} for a TCP proxy or a port mapping; null: nothing was between them
 * @param build its programs, if the command started it; null otherwise
 */
public record ServerInfo(
        String url,
        String role,
        String version,
        String kind,
        Map<String, String> settings,
        String transferFormat,
        @Nullable Double loadAverage,
        @Nullable String transport,
        @Nullable String tls,
        @Nullable String pooling,
        @Nullable Build build) {
    /**
     * The programs that a server ran which the command started.
     *
     * @param origin the jar they are from, or their folder; {@code bundled}: pgstress's own
     * @param sha256 the checksum of the jar, of the bundled archive, or of {@code postgres} in the folder
     */
    public record Build(String origin, String sha256) {}
}
