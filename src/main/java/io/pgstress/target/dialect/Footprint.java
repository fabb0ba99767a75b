package io.pgstress.target.dialect;

import java.util.List;
import java.util.OptionalInt;

/**
 * What a plan touches.
 *
 * @param touched how many shards or datanodes; empty where the plan does not say
 * @param nodes the nodes that they are on; empty where it is the server itself, or the plan does not say
 * @param scans how the rows are found there: {@code Index Scan}, {@code Seq Scan}, ... each once; empty: not shown
 */
public record Footprint(OptionalInt touched, List<String> nodes, List<String> scans) {}
