package io.pgstress.importer;

/** Is told how an import goes on; by any thread. */
public interface ImportListener {
    /** Nobody listens. */
    ImportListener NONE = (rows, bytesRead, bytesTotal) -> {};

    /**
     * More was done.
     *
     * @param rows in the tables so far
     * @param bytesRead of the input, compressed as it is
     * @param bytesTotal of the input; -1 where it is not known
     */
    void progress(long rows, long bytesRead, long bytesTotal);

    /** Another step begins, such as the building of a key. */
    default void step(String what) {}
}
