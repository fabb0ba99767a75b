package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.copy.CopyKeyText;
import io.pgstress.bson.json.Fault.Reject;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.plan.TableName;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table and its keys, with the rows that the current batch touches, which are read and written within the caller's transaction.
 * Not thread-safe.
 */
final class ReplayTable {
    private static final int FETCH = 100;

    private final Connection connection;
    private final TableName name;
    private final KeyForm form;
    private final String others;
    private final CopyKeyText keys;
    private final Map<String, Slot> slots = new LinkedHashMap<>();

    /**
     * @param connection a connection not in autocommit mode
     * @param others columns whose values would be lost if a row were written anew; empty if there are none
     */
    ReplayTable(Connection connection, TableName name, KeyForm form, JsonOptions options, String others) {
        this.connection = connection;
        this.name = name;
        this.form = form;
        this.others = others;
        this.keys = new CopyKeyText(form, options);
    }

    /**
     * The slot of a document in this batch.
     *
     * @throws EntryException if its {@code _id} is missing or does not fit the table, or the table has other columns
     */
    Slot slot(BsonFields document) {
        if (!others.isEmpty()) {
            throw new EntryException("a table with columns that the server does not generate", others);
        }
        String key = key(document.bytes(), document.start(), document.size());
        return slots.computeIfAbsent(canonical(key), k -> new Slot(key));
    }

    private String key(byte[] bytes, int start, int size) {
        String key = keys.of(bytes, start, size);
        Reject reject = keys.reject();
        if (key == null) {
            throw reject == null
                    ? new EntryException("no _id", "")
                    : new EntryException(reject.fault().text(), reject.detail());
        }
        return key;
    }

    /** The slot of a row that was read; null if it is none of this batch. */
    private @Nullable Slot ofRow(String key) {
        if (form != KeyForm.TIMESTAMPTZ) {
            return slots.get(canonical(key));
        }
        ByteSink sink = new ByteSink(32);
        new BsonWriter(sink).document().date("_id", Long.parseLong(key)).end();
        return slots.get(key(sink.array(), 0, sink.length()));
    }

    /** Keys of numbers are equal if their values are. */
    private String canonical(String key) {
        return form == KeyForm.NUMERIC
                ? new BigDecimal(key).stripTrailingZeros().toString()
                : key;
    }

    /** Reads the rows that are needed; false if they have more than {@code maxChars} characters. */
    boolean load(long maxChars) throws SQLException {
        List<Slot> wanted = slots.values().stream().filter(slot -> slot.needed).toList();
        if (wanted.isEmpty()) {
            return true;
        }
        long chars = 0;
        String key = form == KeyForm.TIMESTAMPTZ ? "(extract(epoch from _id) * 1000)::bigint::text" : "_id::text";
        try (PreparedStatement select = onKeys("select " + key + ", data::text", wanted)) {
            select.setFetchSize(FETCH);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    String json = rows.getString(2);
                    chars += json.length();
                    if (chars > maxChars && wanted.size() > 1) {
                        return false;
                    }
                    Slot slot = ofRow(rows.getString(1));
                    if (slot != null) {
                        slot.json = json;
                    }
                }
            }
        }
        return true;
    }

    private PreparedStatement onKeys(String verb, List<Slot> rows) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(
                verb + " from " + name.quoted() + " where _id = any (?::text[]::" + form.type() + "[])");
        statement.setArray(1, texts(rows, slot -> slot.key));
        return statement;
    }

    /**
     * Writes the changed documents: deletes their rows and inserts them anew. This needs no unique index on the key, and works on
     * every kind of cluster.
     */
    void write() throws SQLException {
        List<Slot> changed =
                slots.values().stream().filter(slot -> slot.changed).toList();
        if (changed.isEmpty()) {
            return;
        }
        try (PreparedStatement delete = onKeys("delete", changed)) {
            delete.executeUpdate();
        }
        List<Slot> rows = changed.stream().filter(slot -> slot.json != null).toList();
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into " + name.quoted()
                + " (_id, data) select k::" + form.type() + ", d::jsonb from unnest(?::text[], ?::text[]) r (k, d)")) {
            insert.setArray(1, texts(rows, slot -> slot.key));
            insert.setArray(2, texts(rows, slot -> slot.json));
            insert.executeUpdate();
        }
    }

    private Array texts(List<Slot> rows, Function<Slot, @Nullable String> text) throws SQLException {
        return connection.createArrayOf("text", rows.stream().map(text).toArray());
    }

    /** Forgets the rows of the batch. */
    void clear() {
        slots.clear();
    }

    /** What a batch knows of one document: its key and its current JSON. Not thread-safe. */
    static final class Slot {
        private final String key;
        private @Nullable String json;
        private boolean settled;
        private boolean needed;
        private boolean changed;

        /** @param key the key as text in SQL */
        private Slot(String key) {
            this.key = key;
        }

        /** The document; null if there is none. */
        @Nullable
        String json() {
            return json;
        }

        /** Notes that an operation of the batch determines the document, so its row need not be read for those after it. */
        void settle() {
            settled = true;
        }

        /** Notes that an operation needs the document as it is. */
        void need() {
            needed |= !settled;
        }

        /** Sets the document that the row will have; null: no row. */
        void change(@Nullable String to) {
            json = to;
            changed = true;
        }
    }
}
