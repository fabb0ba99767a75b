package io.pgstress.extra.diff;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds tables {@code (_id, data jsonb)} that a dump has no collection for. */
final class OtherTables {
    private static final String COLUMN = "exists (select 1 from pg_attribute a where a.attrelid = c.oid"
            + " and not a.attisdropped and a.attname = ";

    private OtherTables() {}

    /**
     * The tables beside these, in the same schemas; without their copy tables. No more than 1000.
     *
     * @param compared tables; those without a schema are in the first one of the search path
     */
    static List<TableName> beside(Connection connection, Collection<TableName> compared) throws SQLException {
        Set<String> known = new HashSet<>();
        Set<String> schemas = new HashSet<>();
        String current = currentSchema(connection);
        for (TableName each : compared) {
            String schema = each.schema().isEmpty() ? current : each.schema();
            schemas.add(schema);
            known.add(new TableName(schema, each.name()).quoted());
            known.add(new TableName(schema, each.copy().name()).quoted());
        }
        List<TableName> others = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select n.nspname, c.relname from pg_class c"
                        + " join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and " + COLUMN
                        + "'_id') and " + COLUMN
                        + "'data' and a.atttypid = 'jsonb'::regtype) order by 1, 2 limit 1000")) {
            while (row.next()) {
                TableName table = new TableName(row.getString(1), row.getString(2));
                if (schemas.contains(table.schema()) && !known.contains(table.quoted())) {
                    others.add(table.schema().equals(current) ? new TableName("", table.name()) : table);
                }
            }
        }
        return others;
    }

    private static String currentSchema(Connection connection) throws SQLException {
        return ControlSql.text(connection, "select coalesce(current_schema(), '')")
                .orElse("");
    }
}
