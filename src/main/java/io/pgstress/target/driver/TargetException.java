package io.pgstress.target.driver;

import org.jspecify.annotations.Nullable;

/** A server that cannot be reached, or a state of it in which the run cannot start; the message is one line. */
public final class TargetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TargetException(String message) {
        super(message);
    }

    public TargetException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
