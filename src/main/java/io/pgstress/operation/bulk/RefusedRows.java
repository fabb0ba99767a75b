package io.pgstress.operation.bulk;

import io.pgstress.target.driver.ServerErrors;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Interprets a server's errors about rows of a file. Stateless. */
final class RefusedRows {
    /** SQLSTATE classes: data, constraint, check option, raised by a function, and internal (Citus, for errors of a worker). */
    private static final Set<String> CLASSES = Set.of("22", "23", "44", "P0", "XX");

    /** Works in any language, because it relies only on word order; line numbers of a shard are not those of the file. */
    private static final Pattern LINE = Pattern.compile("^COPY pgstress_load_\\d+, \\S+ (\\d+)(?:, \\S+ (\\w+):)?");

    private static final Pattern KEY = Pattern.compile("\\(id\\)=\\((-?\\d+)\\)");

    private RefusedRows() {}

    /** Whether the rows caused the error, not the session, the server or its tables. */
    static boolean areToBlame(SQLException e) {
        return ServerErrors.sessionIsAlive(e)
                && CLASSES.contains(ServerErrors.stateOf(e).substring(0, 2));
    }

    /** The line within the COPY, from 1; 0 if the server does not report it. */
    static long line(SQLException e) {
        Matcher line = LINE.matcher(ServerErrors.whereOf(e));
        return line.find() ? Long.parseLong(line.group(1)) : 0;
    }

    /** The duplicate id; empty if the error is not a duplicate key. */
    static String key(SQLException e) {
        Matcher key = KEY.matcher(ServerErrors.detailOf(e));
        return key.find() ? key.group(1) : "";
    }

    /** The same error with its line number. */
    static SQLException withLine(SQLException e, String file, long line) {
        Matcher where = LINE.matcher(ServerErrors.whereOf(e));
        String column = where.find() && where.group(2) != null ? " (column " + where.group(2) + ")" : "";
        return new SQLException(file + ":" + line + ": " + what(e) + column, e.getSQLState(), e);
    }

    /** The same error with a range of lines, if the server does not report the line. */
    static SQLException withLine(SQLException e, String file, long first, long last) {
        return new SQLException(
                String.format(
                        Locale.ROOT,
                        "%s:%d: %s; the server does not report the line, which is one of %d to %d",
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
