package io.pgstress.explain;

import io.pgstress.result.StatementRoute;
import java.util.List;

/**
 * A statement's route with the plan that it was read from.
 *
 * @param first the lines of EXPLAIN of the first execution
 * @param later of the sixth
 */
public record PlannedStatement(StatementRoute route, List<String> first, List<String> later) {}
