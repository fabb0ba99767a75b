package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;

/**
 * Applies updates to documents. An update is the new document if it has no operators, {@code $set} and {@code $unset}, or a
 * diff. Not thread-safe.
 */
public final class Updates {
    private final Diff diff;
    private final Modifiers modifiers;

    public Updates(ValueJson values) {
        this.diff = new Diff(values);
        this.modifiers = new Modifiers(values);
    }

    /** Whether the update is the new document, so that the old one is not needed. */
    public static boolean isReplacement(Fields update) {
        if (update.find("_id") != null) {
            return true;
        }
        for (Field each : update) {
            if (each.name().startsWith("$")) {
                return false;
            }
        }
        return true;
    }

    /**
     * The JSON of the document after the update.
     *
     * @param json the JSON of the document before
     * @throws EntryException if the update is malformed, of an unknown kind, or has values that the import would reject
     */
    public String apply(String json, Fields update) {
        JsonValue document = JsonValue.of(json);
        Field changes = update.find("diff");
        Field version = update.find("$v");
        if (version != null && version.number() != 1 && version.number() != 2) {
            throw new EntryException("an unknown update", "$v is " + version.number());
        }
        if (version != null && version.number() == 2) {
            if (changes == null || changes.type() != BsonType.DOCUMENT) {
                throw new EntryException("a malformed $v: 2 diff", "it has no diff");
            }
            diff.apply(document, changes.document(), 0);
        } else {
            modifiers.apply(document, update);
        }
        return document.toString();
    }
}
