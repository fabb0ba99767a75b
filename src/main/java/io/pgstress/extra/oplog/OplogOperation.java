package io.pgstress.extra.oplog;

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
public record OplogOperation(
        Kind kind,
        String namespace,
        @Nullable BsonFields content,
        @Nullable BsonFields selector,
        boolean upsert,
        OplogEntry entry,
        @Nullable EntryException fault) {

    /** What an operation does. */
    public enum Kind {
        INSERT,
        UPDATE,
        DELETE,
        COMMAND,
        /** It cannot be read; it becomes a reject. */
        UNREADABLE
    }

    static OplogOperation unreadable(OplogEntry entry, EntryException fault) {
        return new OplogOperation(Kind.UNREADABLE, "", null, null, false, entry, fault);
    }

    /** The content of an operation that is readable. */
    public BsonFields required() {
        if (content == null) {
            throw fault == null ? new EntryException("a malformed entry", "it has no o") : fault;
        }
        return content;
    }

    /** The name of a command: that of its first element. */
    public String command() {
        return required().first().name();
    }

    /** The part of the namespace before the first dot. */
    public String database() {
        int dot = namespace.indexOf('.');
        return dot < 0 ? namespace : namespace.substring(0, dot);
    }

    /** The part of the namespace after the first dot; empty if there is no dot. */
    public String collection() {
        int dot = namespace.indexOf('.');
        return dot < 0 ? "" : namespace.substring(dot + 1);
    }

    /** The size in bytes of what it carries. */
    public int size() {
        return content == null ? 0 : content.size();
    }
}
