package io.pgstress.operation.document;

import io.pgstress.dataset.Keys;
import io.pgstress.plan.TableName;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads one row by id and keeps its document for the write that follows. Not thread-safe. */
final class ReadDocument implements RowReader {
    private final Keys keys;
    private final SqlStatement select;
    private final @Nullable String[] others;
    private @Nullable String document;

    ReadDocument(Keys keys, SqlStatement select) {
        this(keys, select, 0);
    }

    /** @param others number of columns after {@code _id} and {@code data} */
    ReadDocument(Keys keys, SqlStatement select, int others) {
        this.keys = keys;
        this.select = select;
        this.others = new String[others];
    }

    /** The document of the id at this place, or null if there is no such row. */
    @Nullable
    String of(long place) throws SQLException {
        document = null;
        keys.bind(select, 1, place);
        select.query(this);
        return document;
    }

    @Override
    public void row(ResultSet row) throws SQLException {
        row.getBytes(1);
        document = row.getString(2);
        for (int i = 0; i < others.length; i++) {
            others[i] = row.getString(3 + i);
        }
    }

    /** The number of columns after {@code _id} and {@code data}. */
    int others() {
        return others.length;
    }

    /** The text of such a column in the row that was read last; null if it is null. */
    @Nullable
    String other(int i) {
        return others[i];
    }

    /** Statements shared by several operations. */
    static final class Statements {
        private Statements() {}

        static Sql selectById(String name, TableName table) {
            return selectById(name, table, List.of());
        }

        /** @param others further columns, quoted; they are read as text */
        static Sql selectById(String name, TableName table, List<String> others) {
            String columns = others.stream().map(each -> ", " + each + "::text").collect(Collectors.joining());
            return new Sql(name, "select _id, data" + columns + " from " + table.quoted() + " where _id = ?");
        }
    }
}
