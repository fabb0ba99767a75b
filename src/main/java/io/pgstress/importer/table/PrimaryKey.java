package io.pgstress.importer.table;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;

/** Creates primary keys after the rows are loaded. Used by one thread. */
final class PrimaryKey {
    private final Connection connection;
    private final TableRules rules;

    PrimaryKey(Connection connection, TableRules rules) {
        this.connection = connection;
        this.rules = rules;
    }

    boolean exists(TableName name) throws SQLException {
        return ControlSql.number(
                        connection,
                        "select count(*) from pg_index where indrelid = to_regclass(" + name.literal()
                                + ") and indisprimary")
                > 0;
    }

    /** @throws TargetException if an _id occurs twice; the message says what can be done */
    void add(TableName name) throws SQLException {
        try {
            ControlSql.execute(connection, "alter table " + name.quoted() + " add primary key (_id)");
        } catch (SQLException e) {
            if ("23505".equals(e.getSQLState()) && rules.atomic()) {
                throw new TargetException("an _id occurs more than once: " + ServerErrors.messageOf(e), e);
            }
            if ("23505".equals(e.getSQLState())) {
                throw new TargetException(
                        "all rows are in table " + name
                                + ", but it has no primary key, because an _id occurs more than once: "
                                + ServerErrors.messageOf(e)
                                + "; delete the surplus rows and create the key with --resume, or import"
                                + " again with --if-exists drop and --on-duplicate skip or replace",
                        e);
            }
            throw e;
        }
    }
}
