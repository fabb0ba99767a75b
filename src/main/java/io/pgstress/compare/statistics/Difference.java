package io.pgstress.compare.statistics;

/** A mean difference: of pairs ({@link Sample}) or of unpaired figures ({@link Welch}). */
public interface Difference {
    /** Number of pairs, or of figures on the smaller side. */
    int size();

    /** The probability of a difference at least this large if there were none. */
    double pValue();

    /** Student's interval, or a similar one, as used by {@link StoppingRule}. */
    Interval student(double confidence);

    /** The confidence interval at this confidence, e.g. 0.95. */
    Interval interval(double confidence);
}
