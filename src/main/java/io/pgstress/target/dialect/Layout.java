package io.pgstress.target.dialect;

import java.util.List;

/**
 * The parts of a table.
 *
 * @param unit {@code table}, {@code shards} or {@code datanodes}
 * @param units the number of parts, at least 1
 * @param nodes the nodes that hold them; empty: the server itself
 */
public record Layout(String unit, int units, List<String> nodes) {
    /** A table on a single server. */
    static final Layout LOCAL = new Layout("table", 1, List.of());
}
