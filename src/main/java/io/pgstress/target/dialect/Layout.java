package io.pgstress.target.dialect;

import java.util.List;

/**
 * What a table consists of.
 *
 * @param unit {@code table}, {@code shards} or {@code datanodes}
 * @param units how many, at least 1
 * @param nodes those that hold them; empty: the server itself
 */
public record Layout(String unit, int units, List<String> nodes) {
    /** All of it on the one server. */
    static final Layout LOCAL = new Layout("table", 1, List.of());
}
