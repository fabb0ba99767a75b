package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.copy.CopyKeyText;
import io.pgstress.bson.json.Fault.Reject;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.plan.TableName;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table and its keys, with the rows that the current batch touches. Not thread-safe. */
final class ReplayTable {
    private final TableName name;
    private final KeyForm form;
    private final String others;
    private final CopyKeyText keys;
    private final Map<String, Slot> slots = new LinkedHashMap<>();

    /** @param others columns whose values would be lost if a row were written anew; empty if there are none */
    ReplayTable(TableName name, KeyForm form, JsonOptions options, String others) {
        this.others = others;
        this.name = name;
        this.form = form;
        this.keys = new CopyKeyText(form, options);
    }

    TableName name() {
        return name;
    }

    /** The name of the key's type in SQL. */
    String keyType() {
        return form.type();
    }

    /** The expression for a key that {@link #ofRow} reads. */
    String keyExpression() {
        return form == KeyForm.TIMESTAMPTZ ? "(extract(epoch from _id) * 1000)::bigint::text" : "_id::text";
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
    @Nullable
    Slot ofRow(String key) {
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

    /** The documents of the batch, in the order in which it first names them. */
    Iterable<Slot> slots() {
        return slots.values();
    }

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
        Slot(String key) {
            this.key = key;
        }

        String key() {
            return key;
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

        /** Whether the row must be read. */
        boolean isNeeded() {
            return needed;
        }

        /** Sets the document as the table has it. */
        void loaded(String found) {
            json = found;
        }

        /** Sets the document that the row will have; null: no row. */
        void change(@Nullable String to) {
            json = to;
            changed = true;
        }

        boolean isChanged() {
            return changed;
        }
    }
}
