package io.pgstress.compare;

import io.pgstress.result.Comparison.Effect;
import java.util.List;
import java.util.function.Supplier;

/** Receives the progress of a comparison, on the comparison's own thread. */
public interface CompareListener {
    /** A block begins; {@code when} is {@code settling} or, for example, {@code round 3}. */
    default void block(String when, String variant) {}

    /** A round has ended, with the effects so far. */
    default void round(ComparisonState state, Supplier<List<Effect>> soFar) {}
}
