package io.pgstress.plan;

import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.util.List;
import java.util.function.Function;

/**
 * The operations that a run can name.
 *
 * @param registered the built-in operations
 * @param sources options that add operations; no operation declares them
 * @param custom the operations that options add; throws {@link io.pgstress.plan.option.InvalidPlanException} if they cannot be used
 */
public record OperationCatalog(
        List<? extends OperationKind> registered,
        List<Option<?>> sources,
        Function<Options, List<? extends OperationKind>> custom) {}
