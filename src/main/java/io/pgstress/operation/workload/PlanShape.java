package io.pgstress.operation.workload;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The nodes of a plan in one line, outermost first. */
final class PlanShape {
    /** Matches the plan's first line or the line of a lower node, but not a Citus task. */
    private static final Pattern NODE = Pattern.compile("^(?:\\s*->\\s*)?([A-Z].*?)(?: (?:on|using) .*)?$");

    private PlanShape() {}

    static String of(Connection connection, String sql) throws SQLException {
        StringJoiner shape = new StringJoiner(" < ");
        try (Statement statement = connection.createStatement();
                ResultSet lines = statement.executeQuery("explain (costs off) " + sql)) {
            while (lines.next()) {
                Matcher node = NODE.matcher(lines.getString(1));
                if (node.matches() && !node.group(1).equals("Task")) {
                    shape.add(node.group(1));
                }
            }
        }
        return shape.toString();
    }
}
