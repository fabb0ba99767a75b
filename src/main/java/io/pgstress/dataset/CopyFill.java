package io.pgstress.dataset;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** The rows of a table that its copy is filled with. Immutable. */
public final class CopyFill {
    /** No rows. */
    public static final CopyFill NONE = new CopyFill(false, null);

    /** All rows. */
    public static final CopyFill ALL = new CopyFill(true, null);

    private static final int IDS_PER_STATEMENT = 10_000;

    private final boolean isFilled;
    /** Null: all rows. */
    private final @Nullable Keys ids;

    private CopyFill(boolean isFilled, @Nullable Keys ids) {
        this.isFilled = isFilled;
        this.ids = ids;
    }

    /** The rows of a table whose ids can be drawn. */
    public static CopyFill drawn(Table table) {
        return table.keys().size() < table.rows() ? new CopyFill(true, table.keys()) : ALL;
    }

    /** Inserts the rows into the copy, which is empty. */
    void insert(Connection connection, TableName original, TableName copy) throws SQLException {
        if (!isFilled) {
            return;
        }
        String insert = "insert into " + copy.quoted() + " (_id, data) select _id, data from " + original.quoted();
        try (Statement statement = connection.createStatement()) {
            if (ids == null) {
                statement.execute(insert);
            } else {
                insert(connection, insert + " where _id = any (?)", ids);
            }
            statement.execute("analyze " + copy.quoted());
        }
    }

    /** The server infers the type of the array from that of the column. */
    private static void insert(Connection connection, String sql, Keys ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (long from = 0; from < ids.size(); from += IDS_PER_STATEMENT) {
                statement.setObject(1, array(ids, from, Math.min(ids.size(), from + IDS_PER_STATEMENT)), Types.OTHER);
                statement.executeUpdate();
            }
        }
    }

    private static String array(Keys ids, long from, long to) {
        StringBuilder array = new StringBuilder("{");
        for (long i = from; i < to; i++) {
            String id = ids.text(i).replace("\\", "\\\\").replace("\"", "\\\"");
            array.append(i == from ? "\"" : ",\"").append(id).append('"');
        }
        return array.append('}').toString();
    }
}
