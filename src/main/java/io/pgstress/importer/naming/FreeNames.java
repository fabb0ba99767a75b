package io.pgstress.importer.naming;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Names for new indexes. The server has one name space for the tables and indexes of a schema; a name that is taken ends with
 * {@code $} and digits instead, which are the same each time. Used by one thread.
 */
public final class FreeNames {
    private final Connection connection;
    private final Set<TableName> given = new HashSet<>();

    public FreeNames(Connection connection) {
        this.connection = connection;
    }

    /**
     * The name to use in the schema, which was not returned before.
     *
     * @param wanted the name, of any length
     * @param mayHave whether a name can be used even if the server has it
     */
    public String of(TableName wanted, Predicate<String> mayHave) throws SQLException {
        String name = ServerName.of(wanted.name());
        for (int i = 1; !isFree(new TableName(wanted.schema(), name), mayHave); i++) {
            name = ServerName.distinct(wanted.name(), wanted.name() + "\0" + i);
        }
        return name;
    }

    private boolean isFree(TableName name, Predicate<String> mayHave) throws SQLException {
        return given.add(name) && (mayHave.test(name.name()) || !exists(name));
    }

    private boolean exists(TableName name) throws SQLException {
        return ControlSql.holds(connection, "select to_regclass(" + name.literal() + ") is not null");
    }
}
