package io.pgstress.plan;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.util.List;

/** The operations that a run can name. */
public interface OperationCatalog {
    /** The built-in operations. */
    List<? extends OperationKind> registered();

    /** Options that add operations; no operation declares them. */
    default List<Option<?>> sources() {
        return List.of();
    }

    /**
     * The operations that these options add.
     *
     * @throws InvalidPlanException if they cannot be used
     */
    default List<? extends OperationKind> custom(Options options) {
        return List.of();
    }
}
