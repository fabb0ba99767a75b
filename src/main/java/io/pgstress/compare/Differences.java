package io.pgstress.compare;

import io.pgstress.compare.statistics.Difference;
import java.util.Optional;

/** What is held against the baseline. */
interface Differences {
    /** The logarithm of the ratio of a variant's metric to the baseline's; empty where it is not known. */
    Optional<? extends Difference> logRatio(String variant, String metric);
}
