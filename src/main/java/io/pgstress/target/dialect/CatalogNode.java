package io.pgstress.target.dialect;

/**
 * A node of a cluster as listed in the coordinator's catalog, which does not say whether it answers.
 *
 * @param name its name in the cluster
 * @param role its role: coordinator, worker or datanode
 * @param host its address for the other nodes
 * @param coordinates whether it accepts clients' statements
 * @param holdsData whether it has rows of distributed tables
 * @param isAsked whether it is the queried node; clients may use another address for it than the nodes do
 */
public record CatalogNode(
        String name, String role, String host, int port, boolean coordinates, boolean holdsData, boolean isAsked) {}
