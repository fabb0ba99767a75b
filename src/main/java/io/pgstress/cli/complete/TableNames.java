package io.pgstress.cli.complete;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The tables that {@code --table} can name. */
public final class TableNames {
    private static final int CONNECT_SECONDS = 1;
    private static final int ANSWER_SECONDS = 2;

    private static final String TABLES = """
            select case when pg_table_is_visible(c.oid) then '' else n.nspname end, c.relname
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)' and exists
                (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = '_id' and not a.attisdropped)
            order by 1, 2 limit 1000
            """;

    private TableNames() {}

    /**
     * The tables with a column {@code _id}, with their schema unless it is in the search path.
     *
     * @throws SQLException if the server cannot be reached within a second, or does not answer within two
     */
    public static List<String> of(Connector connector) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = connector.open(SessionPurpose.CONTROL.within(CONNECT_SECONDS, ANSWER_SECONDS));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(TABLES)) {
            while (rows.next()) {
                names.add(new TableName(rows.getString(1), rows.getString(2)).written());
            }
        }
        return names;
    }
}
