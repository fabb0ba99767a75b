package io.pgstress.result;

import io.pgstress.result.Sum.By;
import io.pgstress.result.Sum.Rule;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of the clients' sockets during the measurement, without cancel requests; with TLS, of the encrypted data.
 */
public record Network(
        @By(Rule.ADDED) double inMbitPerSecond,
        @By(Rule.ADDED) double outMbitPerSecond,
        @By(Rule.ADDED) long bytesIn,
        @By(Rule.ADDED) long bytesOut) {
    /** No traffic. */
    public static final Network NONE = new Network(0, 0, 0, 0);

    /** The sum of the known parts. */
    public static Network sum(Stream<? extends @Nullable Network> parts) {
        return Sum.of(Stream.concat(Stream.of(NONE), parts.flatMap(Stream::ofNullable))
                .toList());
    }
}
