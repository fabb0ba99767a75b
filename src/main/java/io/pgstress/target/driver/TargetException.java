package io.pgstress.target.driver;

import org.jspecify.annotations.Nullable;

/** A server cannot be reached, or is in a state in which the run cannot start; the message is one line. */
public final class TargetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TargetException(String message) {
        super(message);
    }

    public TargetException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
