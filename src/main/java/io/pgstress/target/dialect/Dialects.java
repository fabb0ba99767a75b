package io.pgstress.target.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** The kinds of server, one line each; the first that recognises a server is its kind. */
public final class Dialects {
    /** The value for automatic detection. */
    public static final String AUTO = "auto";

    /** What to say if a server does not know what every supported one knows. */
    public static final String SUPPORTED = "supported are PostgreSQL 9.5 and newer, Citus, Postgres-XL and Greenplum";

    private static final List<Dialect> ALL = List.of(new Citus(), new PostgresXl(), new Greenplum(), new PostgreSql());

    private Dialects() {}

    /** All dialects, in the order in which they are tried. */
    static List<Dialect> all() {
        return ALL;
    }

    /** The values of {@code --target}. */
    public static List<String> names() {
        return Stream.concat(Stream.of(AUTO), ALL.stream().map(Dialect::name)).toList();
    }

    /** A single PostgreSQL. */
    public static Dialect postgreSql() {
        return ALL.get(ALL.size() - 1);
    }

    /** The dialect of this name, or the one that recognises the server. */
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
