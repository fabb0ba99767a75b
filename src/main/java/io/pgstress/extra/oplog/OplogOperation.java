package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.json.IdJson;
import io.pgstress.extra.oplog.BsonFields.Field;
import io.pgstress.importer.table.Naming.Namespace;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One operation of an entry; an {@code applyOps} has several.
 *
 * @param kind what it does
 * @param namespace the collection, or {@code <database>.$cmd} of a command
 * @param content the document, the change or the command; null if it is unreadable
 * @param selector what identifies the document of an update; null if there is none
 * @param upsert whether an update creates a document that is missing
 * @param entry the entry that it is part of
 * @param fault why it is unreadable; null if it is not
 */
record OplogOperation(
        Kind kind,
        Namespace namespace,
        @Nullable BsonFields content,
        @Nullable BsonFields selector,
        boolean upsert,
        OplogEntry entry,
        @Nullable EntryException fault) {

    /** What an operation does. */
    enum Kind {
        INSERT,
        UPDATE,
        DELETE,
        COMMAND,
        /** It cannot be read; it becomes a reject. */
        UNREADABLE;

        /** The word for people. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static OplogOperation unreadable(OplogEntry entry, EntryException fault) {
        return new OplogOperation(Kind.UNREADABLE, Namespace.of(""), null, null, false, entry, fault);
    }

    /** The content of an operation that is readable. */
    BsonFields required() {
        if (content == null) {
            throw fault == null ? EntryException.malformed("it has no o") : fault;
        }
        return content;
    }

    /** Its time, what it does, and the {@code _id} of its document, for people. */
    String describe() {
        String time = "ts " + entry.time();
        if (kind == Kind.UNREADABLE) {
            return time;
        }
        BsonFields document = selector == null ? content : selector;
        String id = document == null ? "" : new IdJson().of(document.bytes(), document.start(), document.size());
        return time + ", " + kind + " in " + namespace + (id.isEmpty() ? "" : ", _id " + id);
    }

    /** The database of a command with the collection that it names. */
    Namespace inDatabase(String collection) {
        return new Namespace(namespace.database(), collection);
    }

    /** The size in bytes of what it carries. */
    int size() {
        return content == null ? 0 : content.size();
    }

    /**
     * An entry of an oplog.
     *
     * @param bytes the entry as BSON, which callers must not modify
     * @param offset its place in the uncompressed input
     */
    @SuppressWarnings("ArrayRecordComponent")
    record OplogEntry(byte[] bytes, long offset) {
        /** Copies a document of a chunk, which may be reused. */
        static OplogEntry of(Chunk chunk, int document) {
            int start = chunk.start(document);
            byte[] copy = Arrays.copyOfRange(chunk.array(), start, start + chunk.size(document));
            return new OplogEntry(copy, chunk.offset(document));
        }

        BsonFields fields() {
            return BsonFields.of(bytes, 0, bytes.length);
        }

        /** The time as an unsigned number: seconds since 1970 in the upper half, a counter in the lower; 0 if it has none. */
        static long time(BsonFields fields) {
            Field ts = fields.find("ts");
            return ts == null || ts.type() != BsonType.TIMESTAMP ? 0 : ts.number();
        }

        /** A time as mongorestore's {@code --oplogLimit} writes it: {@code seconds:counter}. */
        static String text(long time) {
            return String.format(Locale.ROOT, "%d:%d", time >>> Integer.SIZE, time & 0xffff_ffffL);
        }

        /** The entry's time as text; empty if it cannot be read. */
        String time() {
            try {
                return text(time(fields()));
            } catch (EntryException e) {
                return "";
            }
        }

        /** The session and number of the entry's transaction; null if it belongs to none. */
        static @Nullable String transaction(BsonFields fields) {
            Field session = fields.find("lsid");
            Field number = fields.find("txnNumber");
            return session == null || number == null
                    ? null
                    : HexFormat.of().formatHex(session.bytes(), session.at(), session.end()) + "-" + number.number();
        }
    }
}
