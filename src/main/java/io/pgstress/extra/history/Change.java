package io.pgstress.extra.history;

import java.util.List;

/**
 * A change of a figure between two runs of a test.
 *
 * @param at index of the first run after it
 * @param before geometric mean of the figure since the change before, or the first run
 * @param after geometric mean of the figure until the next change, or the last run
 * @param ratio after / before
 * @param low where its 95% interval begins
 * @param high where it ends
 * @param pValue share of random orders of the runs in which a change is as clear
 * @param worse whether it is a change for the worse
 * @param alsoChanged what else is different between the two runs
 */
public record Change(
        Figure figure,
        int at,
        double before,
        double after,
        double ratio,
        double low,
        double high,
        double pValue,
        boolean worse,
        List<String> alsoChanged) {}
