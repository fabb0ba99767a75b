package io.pgstress.operation.load;

import io.pgstress.target.driver.ServerErrors;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a server says against rows of a file. Stateless. */
final class RefusedRows {
    /** Of SQLSTATE: data, constraint, check option, raised by a function, and internal, which Citus makes of a worker's. */
    private static final Set<String> CLASSES = Set.of("22", "23", "44", "P0", "XX");

    /** In whatever language, as only the order of its words is used; the lines of a shard are not the file's. */
    private static final Pattern LINE = Pattern.compile("^COPY pgstress_load_\\d+, \\S+ (\\d+)(?:, \\S+ (\\w+):)?");

    private static final Pattern KEY = Pattern.compile("\\(id\\)=\\((-?\\d+)\\)");

    private RefusedRows() {}

    /** Whether the error is one of the rows, and not of the session, the server or its tables. */
    static boolean areToBlame(SQLException e) {
        return ServerErrors.sessionIsAlive(e)
                && CLASSES.contains(ServerErrors.stateOf(e).substring(0, 2));
    }

    /** The line of the COPY, from 1; 0: the server does not say. */
    static long line(SQLException e) {
        Matcher line = LINE.matcher(ServerErrors.whereOf(e));
        return line.find() ? Long.parseLong(line.group(1)) : 0;
    }

    /** The id that is there more than once; an empty string where that is not what is wrong. */
    static String key(SQLException e) {
        Matcher key = KEY.matcher(ServerErrors.detailOf(e));
        return key.find() ? key.group(1) : "";
    }

    /** The same error with its line. */
    static SQLException told(SQLException e, String file, long line) {
        Matcher where = LINE.matcher(ServerErrors.whereOf(e));
        String column = where.find() && where.group(2) != null ? " (column " + where.group(2) + ")" : "";
        return new SQLException(file + ":" + line + ": " + what(e) + column, e.getSQLState(), e);
    }

    /** The same error where the server tells no line: the first and the last that it may be. */
    static SQLException told(SQLException e, String file, long first, long last) {
        return new SQLException(
                String.format(
                        Locale.ROOT,
                        "%s:%d: %s; the server does not say which line it is, of %d to %d",
                        file,
                        first,
                        what(e),
                        first,
                        last),
                e.getSQLState(),
                e);
    }

    private static String what(SQLException e) {
        String key = key(e);
        return ServerErrors.sampleOf(e) + (key.isEmpty() ? "" : ", id " + key);
    }
}
