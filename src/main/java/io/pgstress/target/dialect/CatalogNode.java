package io.pgstress.target.dialect;

/**
 * A server of a cluster, as the coordinator's catalog has it; whether it answers is not in there.
 *
 * @param name what the cluster calls it
 * @param role what it is in the cluster: coordinator, worker or datanode
 * @param host as the other nodes reach it
 * @param coordinates whether clients can send it their statements
 * @param holdsData whether it has rows of distributed tables
 * @param isAsked whether it is the very server that told this; clients may reach it by another address than the nodes do
 */
public record CatalogNode(
        String name, String role, String host, int port, boolean coordinates, boolean holdsData, boolean isAsked) {}
