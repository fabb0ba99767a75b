package io.pgstress.compare.statistics;

/**
 * What an estimate with a normally distributed error tells about the true value: Student (W. S. Gosset), Biometrika 6, 1908. Immutable.
 *
 * @param error the standard error of the estimate; 0: it is exact
 * @param degrees the degrees of freedom of the error
 */
record Student(double estimate, double error, double degrees) {
    /** The probability of an estimate at least as far from 0 if the true value is 0. */
    double pValue() {
        if (error == 0) {
            return estimate == 0 ? 1 : 0;
        }
        return Quantiles.twoSided(estimate / error, degrees);
    }

    /** The interval that has the true value with this confidence, such as 0.95. */
    Interval interval(double confidence) {
        double half = error == 0 ? 0 : Quantiles.t((1 + confidence) / 2, degrees) * error;
        return new Interval(estimate, estimate - half, estimate + half);
    }
}
