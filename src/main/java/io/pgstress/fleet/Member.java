package io.pgstress.fleet;

/**
 * A host in the group, as one of the others sees it. A host that was lost and came back is another member.
 *
 * @param name what the host calls itself
 * @param address where it listens, {@code HOST:PORT}
 * @param incarnation tells apart members of the same host; our own count, so it differs from host to host
 */
public record Member(String name, String address, long incarnation) {
    @Override
    public String toString() {
        return name + " (" + address + ")";
    }
}
