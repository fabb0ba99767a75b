package io.pgstress.target.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** The kinds of server, a line each; the first that recognises the server is it. */
public final class Dialects {
    /** The word for: ask the server. */
    public static final String AUTO = "auto";

    private static final List<Dialect> ALL = List.of(new Citus(), new PostgresXl(), new Greenplum(), new PostgreSql());

    private Dialects() {}

    /** What {@code --target} may say. */
    public static List<String> names() {
        return Stream.concat(Stream.of(AUTO), ALL.stream().map(Dialect::name)).toList();
    }

    /** The dialect of this name, or the one that the server is found to be. */
    public static Dialect of(String name, Connection connection) throws SQLException {
        for (Dialect dialect : ALL) {
            if (name.equals(AUTO)
                    ? dialect.recognises(connection)
                    : dialect.name().equals(name)) {
                return dialect;
            }
        }
        throw new IllegalArgumentException("no such target: " + name);
    }
}
