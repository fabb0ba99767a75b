package io.pgstress.operation;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/**
 * What a long set-up may use besides its control connection.
 *
 * @param connections further control connections; any thread may open them
 * @param progress receives lines for the user, from the set-up's thread; throws if the run was stopped
 */
public record SetUpWork(Connections connections, Consumer<String> progress) {
    /** Opens control connections. */
    @FunctionalInterface
    public interface Connections {
        /** A new connection in autocommit mode, which the caller closes. */
        Connection open() throws SQLException;
    }
}
