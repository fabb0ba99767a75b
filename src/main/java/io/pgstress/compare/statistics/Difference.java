package io.pgstress.compare.statistics;

/** A mean difference that may be none: of pairs ({@link Sample}) or of figures that are no pairs ({@link Welch}). */
public interface Difference {
    /** How many pairs, or figures of the smaller side. */
    int size();

    /** How probable so large a difference would be if there were none. */
    double pValue();

    /** Student's interval, or one that is like it, by which {@link StoppingRule} decides. */
    Interval student(double confidence);

    /** The interval that holds it with this confidence, e.g. 0.95. */
    Interval interval(double confidence);
}
