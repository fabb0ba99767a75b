package io.pgstress.measure;

import java.util.List;

/**
 * The name and statements of an operation, as the recorders need them.
 *
 * @param name its name in the results
 * @param statements the names of its statements, in the order of their numbers; at most {@link #MAX_STATEMENTS}
 */
public record OperationShape(String name, List<String> statements) {
    public static final int MAX_STATEMENTS = 256;

    public OperationShape {
        statements = List.copyOf(statements);
        if (statements.size() > MAX_STATEMENTS) {
            throw new IllegalArgumentException(
                    name + ": at most " + MAX_STATEMENTS + " statements, was " + statements.size());
        }
    }
}
