package io.pgstress.fleet;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a host takes part in a group.
 *
 * @param name what the host calls itself
 * @param listen an address of this host, which the others can reach, and a port
 * @param join where to look for the others: {@code HOST:PORT}, or {@code dns:NAME:PORT} for all addresses of a name
 * @param tls whom to trust and what to show; null: no TLS
 * @param isInsecure whether an address that others can reach is accepted without TLS
 */
public record GroupSettings(
        String name,
        InetSocketAddress listen,
        List<String> join,
        @Nullable SSLContext tls,
        boolean isInsecure) {
    private static final int MAX_NAME = 100;

    public GroupSettings {
        join = List.copyOf(join);
        InetAddress address = listen.getAddress();
        if (address == null) {
            throw new IllegalArgumentException("unknown host: " + listen.getHostString());
        }
        if (address.isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    address.getHostAddress() + " is not an address that other hosts can reach; name one of this host");
        }
        if (tls == null && !isInsecure && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException("without TLS, only a loopback address is accepted, not "
                    + address.getHostAddress() + ": everyone who reaches it could run a load from here");
        }
        if (!name.matches("[\\w.:-]{1," + MAX_NAME + "}")) {
            throw new IllegalArgumentException("not a name of a host: " + name);
        }
    }
}
