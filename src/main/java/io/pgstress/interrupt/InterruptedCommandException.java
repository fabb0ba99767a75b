package io.pgstress.interrupt;

/** Thrown when a signal ends a command between two of its parts. The message says what remains and how to continue. */
public final class InterruptedCommandException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param kept what remains and how to continue */
    public InterruptedCommandException(String kept) {
        super(kept);
    }
}
