package io.pgstress.extra.oplog;

import io.pgstress.extra.oplog.ReplayTable.Slot;
import io.pgstress.target.driver.CopyStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads and writes the rows of a batch, within the caller's transaction. Used by one thread. */
final class RowStore {
    private static final int FETCH = 100;
    private static final int SEND = 1 << 20;

    private final Connection connection;

    /** @param connection a connection not in autocommit mode */
    RowStore(Connection connection) {
        this.connection = connection;
    }

    /** Reads the rows that are needed; false if they have more than {@code maxChars} characters. */
    boolean load(ReplayTable table, long maxChars) throws SQLException {
        List<String> keys = new ArrayList<>();
        table.slots().forEach(slot -> {
            if (slot.isNeeded()) {
                keys.add(slot.key());
            }
        });
        if (keys.isEmpty()) {
            return true;
        }
        long chars = 0;
        String query = "select " + table.keyExpression() + ", data::text from "
                + table.name().quoted() + " where _id = any (?::text[]::" + table.keyType() + "[])";
        try (PreparedStatement select = connection.prepareStatement(query)) {
            select.setFetchSize(FETCH);
            select.setArray(1, connection.createArrayOf("text", keys.toArray()));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    String json = rows.getString(2);
                    chars += json.length();
                    if (chars > maxChars && keys.size() > 1) {
                        return false;
                    }
                    Slot slot = table.ofRow(rows.getString(1));
                    if (slot != null) {
                        slot.loaded(json);
                    }
                }
            }
        }
        return true;
    }

    /**
     * Writes the changed documents: deletes their rows and copies them anew. This needs no unique index on the key, and works on
     * every kind of cluster.
     */
    void write(ReplayTable table) throws SQLException {
        List<String> keys = new ArrayList<>();
        List<Slot> rows = new ArrayList<>();
        for (Slot slot : table.slots()) {
            if (slot.isChanged()) {
                keys.add(slot.key());
                if (slot.json() != null) {
                    rows.add(slot);
                }
            }
        }
        if (keys.isEmpty()) {
            return;
        }
        String delete =
                "delete from " + table.name().quoted() + " where _id = any (?::text[]::" + table.keyType() + "[])";
        try (PreparedStatement statement = connection.prepareStatement(delete)) {
            statement.setArray(1, connection.createArrayOf("text", keys.toArray()));
            statement.executeUpdate();
        }
        if (!rows.isEmpty()) {
            copy(table, rows);
        }
    }

    private void copy(ReplayTable table, List<Slot> rows) throws SQLException {
        CopyStream copy = CopyStream.open(connection, "copy " + table.name().quoted() + " (_id, data) from stdin");
        boolean ended = false;
        try {
            StringBuilder lines = new StringBuilder();
            for (Slot slot : rows) {
                escape(slot.key(), lines);
                lines.append('\t');
                escape(String.valueOf(slot.json()), lines);
                lines.append('\n');
                if (lines.length() >= SEND) {
                    send(copy, lines);
                }
            }
            send(copy, lines);
            copy.end();
            ended = true;
        } finally {
            if (!ended) {
                copy.cancel();
            }
        }
    }

    private static void send(CopyStream copy, StringBuilder lines) throws SQLException {
        byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
        copy.write(bytes, 0, bytes.length);
        lines.setLength(0);
    }

    /** Escapes a field of COPY's text format. */
    private static void escape(String field, StringBuilder out) {
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                default -> out.append(c);
            }
        }
    }
}
