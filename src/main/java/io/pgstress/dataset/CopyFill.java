package io.pgstress.dataset;

import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The rows of a table that its copy is filled with. Immutable. */
public final class CopyFill {
    /** No rows. */
    public static final CopyFill NONE = new CopyFill(false, null, 0, i -> i);

    /** All rows. */
    public static final CopyFill ALL = new CopyFill(true, null, 0, i -> i);

    private static final int IDS_PER_STATEMENT = 10_000;

    private final boolean isFilled;
    /** Null: all rows. */
    private final @Nullable Keys ids;

    private final long count;
    private final LongUnaryOperator indexes;

    private CopyFill(boolean isFilled, @Nullable Keys ids, long count, LongUnaryOperator indexes) {
        this.isFilled = isFilled;
        this.ids = ids;
        this.count = count;
        this.indexes = indexes;
    }

    /** The rows of a table whose ids can be drawn. */
    public static CopyFill drawn(Table table) {
        return drawn(table, table.keys().size(), i -> i);
    }

    /**
     * Rows of a table whose ids can be drawn.
     *
     * @param count the number of ids
     * @param indexes the index of each of them, by numbers from 0
     */
    public static CopyFill drawn(Table table, long count, LongUnaryOperator indexes) {
        return count < table.rows() ? new CopyFill(true, table.keys(), count, indexes) : ALL;
    }

    /** Inserts the rows into the copy, which is empty. */
    void insert(Connection connection, TableName original, TableName copy) throws SQLException {
        if (!isFilled) {
            return;
        }
        List<String> columns = new ArrayList<>(List.of("_id", "data"));
        columns.addAll(TableColumns.others(connection, original));
        String row = String.join(", ", columns);
        String insert = "insert into " + copy.quoted() + " (" + row + ") select " + row + " from " + original.quoted();
        try (Statement statement = connection.createStatement()) {
            if (ids == null) {
                statement.execute(insert);
            } else {
                insertThese(connection, insert + " where _id = any (?)", ids);
            }
            statement.execute("analyze " + copy.quoted());
        }
    }

    /** The server infers the type of the array from that of the column. */
    private void insertThese(Connection connection, String sql, Keys keys) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (long from = 0; from < count; from += IDS_PER_STATEMENT) {
                statement.setObject(1, array(keys, from, Math.min(count, from + IDS_PER_STATEMENT)), Types.OTHER);
                statement.executeUpdate();
            }
        }
    }

    private String array(Keys keys, long from, long to) {
        StringBuilder array = new StringBuilder("{");
        for (long i = from; i < to; i++) {
            array.append(i == from ? "" : ",").append(Quoting.element(keys.text(indexes.applyAsLong(i))));
        }
        return array.append('}').toString();
    }
}
