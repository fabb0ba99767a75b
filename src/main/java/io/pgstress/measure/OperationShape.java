package io.pgstress.measure;

import java.util.List;

/**
 * The name and statements of an operation, as the recorders need them.
 *
 * @param name its name in the results
 * @param statements the names of its statements, in the order of their numbers; at most {@link #MAX_STATEMENTS}
 * @param expectsMisses whether misses and duplicates are ordinary outcomes. Otherwise they interrupt its success, like failures.
 */
public record OperationShape(String name, List<String> statements, boolean expectsMisses) {
    public static final int MAX_STATEMENTS = 256;

    /** An operation that expects neither misses nor duplicates. */
    public OperationShape(String name, List<String> statements) {
        this(name, statements, false);
    }

    public OperationShape {
        statements = List.copyOf(statements);
        if (statements.size() > MAX_STATEMENTS) {
            throw new IllegalArgumentException(
                    name + ": at most " + MAX_STATEMENTS + " statements, was " + statements.size());
        }
    }
}
