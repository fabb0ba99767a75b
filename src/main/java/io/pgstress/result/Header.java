package io.pgstress.result;

import java.util.List;

/**
 * What every result begins with: who measured what, where, and on which data.
 *
 * @param schema the version of the JSON format
 * @param tool the program that measured
 * @param servers the servers that clients connected to
 */
public record Header(
        int schema, ToolInfo tool, RunInfo run, ClientInfo client, List<ServerInfo> servers, DatasetInfo dataset) {
    /** The program that measured, and its JDBC driver. */
    public record ToolInfo(String version, String commit, String driver) {}

    public Header {
        servers = List.copyOf(servers);
    }

    /** A copy with another description of the run. */
    public Header with(RunInfo other) {
        return new Header(schema, tool, other, client, servers, dataset);
    }

    /** A copy with other servers. */
    public Header with(List<ServerInfo> others) {
        return new Header(schema, tool, run, client, others, dataset);
    }
}
