package io.pgstress.target.statement;

import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Has the server parse a statement without running it. Belongs to one thread. */
public final class StatementProbe {
    private final Connection connection;
    private final BoundStatement statement;

    public StatementProbe(Connection connection, Sql sql) {
        this.connection = connection;
        statement = new BoundStatement(sql, JdbcStatement.Slot.UNRECORDED);
        statement.attach(connection);
    }

    /** The parameters, with the types that the load will send. */
    public SqlStatement parameters() {
        return statement;
    }

    /**
     * The server's description of it.
     *
     * @param columns of its result; empty if it has none
     * @param types of its parameters, as written in a cast
     */
    public record Described(List<String> columns, List<String> types) {}

    /**
     * Parses it, once.
     *
     * @throws SQLException if the server refuses it
     */
    public Described describe() throws SQLException {
        if (!connection.getAutoCommit()) {
            return described();
        }
        // The driver gives a statement whose columns it asks for a name (docs/dev/upstream-pgjdbc.md). Within a
        // transaction, even a pooler lets one server session parse and forget it. Otherwise, whoever gets that session
        // next would find the name taken.
        try (Statement transaction = connection.createStatement()) {
            transaction.execute("begin");
            try {
                return described();
            } finally {
                transaction.execute("rollback");
            }
        }
    }

    private Described described() throws SQLException {
        try {
            PreparedStatement prepared = statement.open();
            ParameterMetaData parameters = prepared.getParameterMetaData();
            List<String> types = new ArrayList<>();
            for (int i = 1; i <= parameters.getParameterCount(); i++) {
                types.add(parameters.getParameterTypeName(i));
            }
            ResultSetMetaData data = prepared.getMetaData();
            List<String> names = new ArrayList<>();
            for (int i = 1; data != null && i <= data.getColumnCount(); i++) {
                names.add(data.getColumnLabel(i));
            }
            return new Described(names, types);
        } finally {
            statement.detach();
        }
    }
}
