package io.pgstress.operation.custom;

import io.pgstress.target.driver.ServerErrors;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Errors that are due to SQL of a user's file, or to its values. */
public final class SqlMistakes {
    /** SQLSTATE classes: not supported, cardinality, data, constraint, syntax or access, check option, raised by a function. */
    private static final Set<String> CLASSES = Set.of("0A", "21", "22", "23", "42", "44", "P0");

    private SqlMistakes() {}

    /**
     * The error with its place in the file; an error of the session or of the server as it is.
     *
     * @param message adds the place to a message
     */
    public static SQLException at(UnaryOperator<String> message, SQLException e) {
        String state = ServerErrors.stateOf(e);
        return CLASSES.contains(state.substring(0, 2))
                ? new SQLException(message.apply(ServerErrors.sampleOf(e)), e.getSQLState(), e)
                : e;
    }
}
