package io.pgstress.target.dialect;

import java.util.List;
import java.util.OptionalInt;

/**
 * The part of a table that a plan touches.
 *
 * @param touched the number of shards or datanodes; empty if the plan does not show it
 * @param nodes their nodes; empty if it is the server itself, or the plan does not show them
 * @param scans the scans, such as {@code Index Scan} and {@code Seq Scan}, each once; empty: not shown
 */
public record Footprint(OptionalInt touched, List<String> nodes, List<String> scans) {}
