package io.pgstress.compare;

import io.pgstress.compare.statistics.Difference;
import java.util.Optional;

/** The variants' figures compared with the baseline. */
interface Differences {
    /** The logarithm of a variant's ratio to the baseline for a metric; empty if unknown. */
    Optional<? extends Difference> logRatio(String variant, String metric);
}
