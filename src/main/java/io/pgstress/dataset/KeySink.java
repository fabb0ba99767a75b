package io.pgstress.dataset;

/** Takes the ids of a table as they are read. Not thread-safe. */
interface KeySink extends AutoCloseable {
    /**
     * Adds an id, given as bytes of its text in UTF-8.
     *
     * @return false if there is no space for it
     */
    boolean add(byte[] text, int from, int to);

    /** Whether ids must be added in key order. */
    boolean needsOrder();

    /** The ids that were added; call it once, at the end. */
    Keys keys();

    /** Releases what was added, if {@link #keys} was not called. */
    @Override
    default void close() {}
}
