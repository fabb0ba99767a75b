package io.pgstress.dataset;

/** Is told how far the reading of ids has come. */
@FunctionalInterface
public interface KeyProgress {
    /** Ignores it. */
    KeyProgress NONE = (read, all) -> {};

    /**
     * Called every few thousand ids; an exception ends the reading.
     *
     * @param read number of ids read so far
     * @param all about how many will be read
     */
    void read(long read, long all);
}
