package io.pgstress.measure;

import java.util.List;

/**
 * The name and statements of an operation, as the recorders need them.
 *
 * @param name its name in the results
 * @param statements the names of its statements, in the order of their numbers; at most {@link #MAX_STATEMENTS}
 * @param rowBytes bytes of a row's values; 0 if not needed
 */
public record OperationShape(String name, List<String> statements, double rowBytes) {
    public static final int MAX_STATEMENTS = 256;

    /** A shape without the bytes of its rows. */
    public OperationShape(String name, List<String> statements) {
        this(name, statements, 0);
    }

    public OperationShape {
        statements = List.copyOf(statements);
        if (statements.size() > MAX_STATEMENTS) {
            throw new IllegalArgumentException(
                    name + ": at most " + MAX_STATEMENTS + " statements, was " + statements.size());
        }
    }
}
