package io.pgstress.fleet;

/** Thrown when received bytes are not a message of this program and version. Its message is one line. */
public final class WireException extends Exception {
    private static final long serialVersionUID = 1;

    WireException(String message) {
        super(message.lines().findFirst().orElse(""));
    }
}
