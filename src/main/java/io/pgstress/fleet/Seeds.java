package io.pgstress.fleet;

import io.pgstress.fleet.HostGroup.GroupSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.dns.DNSResolver;
import org.jgroups.protocols.dns.DNS_PING;
import org.jgroups.stack.IpAddress;

/** Where the others are looked for: a list of hosts, or a name that is resolved each time. */
final class Seeds {
    private static final String DNS = "dns:";

    private Seeds() {}

    /**
     * A host answers with the addresses of all that it knows. Otherwise, two hosts that know only a third one could not reach each
     * other while the three are not yet one group, and could not become one.
     *
     * @throws IllegalArgumentException if one is not {@code HOST:PORT} of a known host, or a name is not alone
     */
    static Discovery discovery(List<String> join) {
        return source(join).returnEntireCache(true);
    }

    /** Whether others look for this host first: it is one of its own seeds, has none, or all hosts of a name are seeds. */
    static boolean includes(GroupSettings settings) {
        return settings.join().isEmpty()
                || settings.join().stream()
                        .anyMatch(seed -> seed.startsWith(DNS) || known(seed).equals(settings.listen()));
    }

    private static Discovery source(List<String> join) {
        if (join.stream().noneMatch(seed -> seed.startsWith(DNS))) {
            return new TCPPING()
                    .<TCPPING>returnEntireCache(
                            true) // any member names the coordinator, not only the coordinator itself
                    .<TCPPING>setInitialHosts(join.stream().map(Seeds::known).toList())
                    .setPortRange(0);
        }
        if (join.size() > 1) {
            throw new IllegalArgumentException("only one address is possible with " + DNS + " ...: " + join);
        }
        InetSocketAddress name = parse(join.get(0).substring(DNS.length()));
        // as service records, because these have a port; the resolver is ours
        return new DNS_PING()
                .setDNSQuery(name.getHostString())
                .dnsRecordType(DNSResolver.DNSRecordType.SRV.name())
                .setDNSResolver((query, type) -> addresses(query, name.getPort()));
    }

    /** Also looks for these hosts, as far as their names are known here, unless a name is resolved each time. */
    static void add(Discovery discovery, List<String> join) {
        if (discovery instanceof TCPPING list) {
            Set<PhysicalAddress> all = new LinkedHashSet<>(list.getInitialHosts());
            for (String seed : join) {
                InetSocketAddress parsed = seed.startsWith(DNS) ? null : parse(seed);
                if (parsed != null) {
                    addresses(parsed.getHostString(), parsed.getPort()).forEach(a -> all.add((PhysicalAddress) a));
                }
            }
            list.setInitialHosts2(all);
        }
    }

    private static InetSocketAddress known(String seed) {
        InetSocketAddress parsed = parse(seed);
        InetSocketAddress known = new InetSocketAddress(parsed.getHostString(), parsed.getPort());
        if (known.isUnresolved()) {
            throw new IllegalArgumentException("unknown host: " + seed);
        }
        return known;
    }

    private static InetSocketAddress parse(String seed) {
        int colon = seed.lastIndexOf(':');
        try {
            int port = Integer.parseInt(seed.substring(colon + 1));
            if (colon > 0 && port > 0) {
                return InetSocketAddress.createUnresolved(seed.substring(0, colon), port);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not HOST:PORT: " + seed, e);
        }
        throw new IllegalArgumentException("not HOST:PORT: " + seed);
    }

    /** A name without addresses is not an error: hosts of a service get theirs one after another. */
    private static List<Address> addresses(String name, int port) {
        try {
            return Arrays.stream(InetAddress.getAllByName(name))
                    .<Address>map(address -> new IpAddress(address, port))
                    .toList();
        } catch (UnknownHostException e) {
            return List.of();
        }
    }
}
