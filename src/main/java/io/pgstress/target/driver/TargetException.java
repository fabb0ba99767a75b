package io.pgstress.target.driver;

import java.util.Map;
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

    /**
     * This failure with the names of a cluster's nodes in its message; itself if the message numbers none.
     *
     * @param nodeNames by the numbers of nodes
     */
    public TargetException named(Map<String, String> nodeNames) {
        String message = String.valueOf(getMessage());
        String named = ServerErrors.withNodes(message, nodeNames);
        if (named.equals(message)) {
            return this;
        }
        TargetException copy = new TargetException(named, getCause());
        copy.setStackTrace(getStackTrace());
        return copy;
    }
}
