package io.pgstress.plan;

/**
 * The part of a run that one host performs. Clients are numbered over all hosts, so that no two draw the same random
 * numbers or use the same ids.
 *
 * @param host the host's number, from 0
 * @param hosts number of hosts
 * @param firstClient number of the host's first client
 * @param clients number of the host's clients
 * @param allClients number of clients of all hosts
 * @param isPart whether a command prepares, resets and checks the tables for this host
 */
public record HostShare(int host, int hosts, int firstClient, int clients, int allClients, boolean isPart) {
    public HostShare {
        if (host < 0 || host >= hosts || firstClient < 0 || clients < 0 || firstClient + clients > allClients) {
            throw new IllegalArgumentException("host " + host + " of " + hosts + " with clients from " + firstClient
                    + ", " + clients + " of " + allClients);
        }
    }

    /** A host of a run that a command directs. */
    public HostShare(int host, int hosts, int firstClient, int clients, int allClients) {
        this(host, hosts, firstClient, clients, allClients, true);
    }

    /** A run on one host. */
    public static HostShare whole(int clients) {
        return new HostShare(0, 1, 0, clients, clients, false);
    }

    /** The share of the same host if each host counts equally, however many clients it has. */
    public HostShare ofEqualHosts() {
        return new HostShare(host, hosts, host, 1, hosts, isPart);
    }

    /** The first of {@code size} items that belong to this host; {@link #end} is the first that does not. */
    public long begin(long size) {
        return size * firstClient / allClients;
    }

    /** The end of this host's items. The hosts' ranges cover all items without overlapping. */
    public long end(long size) {
        return size * (firstClient + clients) / allClients;
    }
}
