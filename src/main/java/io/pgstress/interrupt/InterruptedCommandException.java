package io.pgstress.interrupt;

/** A command ended between two of its parts because of a signal. The message says what remains and how to continue. */
public final class InterruptedCommandException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param kept what remains and how to continue */
    public InterruptedCommandException(String kept) {
        super(kept);
    }
}
