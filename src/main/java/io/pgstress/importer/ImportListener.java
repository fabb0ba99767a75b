package io.pgstress.importer;

/** Receives the progress of an import, from any thread. */
public interface ImportListener {
    /** Ignores progress. */
    ImportListener NONE = (rows, bytesRead, bytesTotal) -> {};

    /**
     * Reports progress.
     *
     * @param rows rows loaded so far
     * @param bytesRead bytes of the input read so far, compressed if it is
     * @param bytesTotal bytes of the input; -1 if unknown
     */
    void progress(long rows, long bytesRead, long bytesTotal);

    /** Reports the start of a step, such as building a key. */
    default void step(String what) {}

    /** Reports what the user needs to know also without progress. */
    default void note(String what) {}

    /** Reports how far a step has come; each report replaces the one before. */
    default void state(String words) {}
}
