package io.pgstress.explain;

import io.pgstress.result.StatementRoute;
import java.util.List;

/**
 * A statement's route and the plan that it was read from.
 *
 * @param first the EXPLAIN output of the first execution, by line
 * @param later that of the sixth execution
 */
public record PlannedStatement(StatementRoute route, List<String> first, List<String> later) {}
