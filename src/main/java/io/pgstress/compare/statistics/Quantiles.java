package io.pgstress.compare.statistics;

import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/** Quantiles of Student's t distribution. Thread-safe. */
final class Quantiles {
    private Quantiles() {}

    static double t(double p, double degrees) {
        return new TDistribution(null, degrees).inverseCumulativeProbability(p);
    }

    /** The two-sided tail probability beyond {@code t}. */
    static double twoSided(double t, double degrees) {
        return 2 * new TDistribution(null, degrees).cumulativeProbability(-Math.abs(t));
    }

    static double chiSquared(double p, double degrees) {
        return new ChiSquaredDistribution(null, degrees).inverseCumulativeProbability(p);
    }
}
