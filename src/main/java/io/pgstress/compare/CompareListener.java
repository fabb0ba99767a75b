package io.pgstress.compare;

import io.pgstress.result.Comparison.Effect;
import java.util.List;
import java.util.function.Supplier;

/** Receives the progress of a comparison, on the comparison's own thread. */
public interface CompareListener {
    /** A block begins whose result is discarded: caches and this JVM are still cold. */
    default void settling(String variant) {}

    /** A round has ended, with the effects so far. */
    default void round(ComparisonState state, Supplier<List<Effect>> soFar) {}
}
