package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.ObservedLoad.ProfileEntry;
import io.pgstress.result.Rehearsal.ObservedTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How often an operation was seen, how long it took and how many documents it concerned. Not thread-safe. */
final class Usage {
    /** Of the normal distribution, for a 95% confidence interval. */
    private static final double Z = 1.96;

    private final List<Integer> millis = new ArrayList<>();
    private long rows;
    private long examined;
    private boolean isGuess;
    private String example = "";

    /** An operation that was not seen, but that an index suggests. */
    static Usage guess() {
        Usage usage = new Usage();
        usage.isGuess = true;
        return usage;
    }

    void add(ProfileEntry entry) {
        millis.add(entry.millis());
        rows += entry.rows();
        examined += entry.examined();
        example = example.isEmpty() ? Redaction.withValues(entry.command()) : example;
    }

    /** The first such command, with its values; empty for a guess. */
    public String example() {
        return example;
    }

    public boolean isGuess() {
        return isGuess;
    }

    /** Number of times it was seen; 1 for a guess. */
    public int count() {
        return Math.max(1, millis.size());
    }

    /** Mean number of documents returned or changed, at least 1; 0 for a guess. */
    public int rows() {
        return isGuess ? 0 : (int) Math.max(1, Math.round((double) rows / count()));
    }

    /** Mean number of documents that the server looked at, at least {@link #rows}. */
    public int examined() {
        return (int) Math.max(rows(), Math.round((double) examined / count()));
    }

    /** Exact mean number of documents returned or changed. */
    public double meanRows() {
        return (double) rows / count();
    }

    /** Exact mean number of documents that the server looked at. */
    public double meanExamined() {
        return (double) examined / count();
    }

    /** Median duration in milliseconds; 0 for a guess. */
    public int medianMillis() {
        return at(0.5);
    }

    /** 95th percentile (nearest rank) of the duration in milliseconds; 0 for a guess. */
    public int p95Millis() {
        return at(0.95);
    }

    /**
     * A percentile (nearest rank) of the duration, with the upper end of its 95% confidence interval by the ranks of ordered values.
     *
     * @param share such as 0.5 for the median
     */
    ObservedTime time(double share) {
        int count = millis.size();
        int rank = (int) Math.ceil(count * share + Z * Math.sqrt(count * share * (1 - share)));
        return new ObservedTime(at(share), rank > count || count == 0 ? null : Double.valueOf(sorted().get(rank - 1)));
    }

    private int at(double share) {
        return millis.isEmpty() ? 0 : sorted().get(Math.max(0, (int) Math.ceil(share * millis.size()) - 1));
    }

    private List<Integer> sorted() {
        List<Integer> sorted = new ArrayList<>(millis);
        Collections.sort(sorted);
        return sorted;
    }

    int fastest() {
        return millis.isEmpty() ? 0 : Collections.min(millis);
    }
}
