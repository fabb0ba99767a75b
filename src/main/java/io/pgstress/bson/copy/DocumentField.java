package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.json.Fault;
import io.pgstress.bson.json.IdJson;
import io.pgstress.bson.json.JsonOptions;

/**
 * Writes the value at a path of documents as a field of COPY's binary format: its length and its contents. A value that is
 * missing, null or does not fit the type becomes null. Not thread-safe; one per worker.
 */
public final class DocumentField {
    /** What became of a document's value. */
    public enum Outcome {
        VALUE,
        /** The field is missing or null. */
        NULL,
        /** The field has a value that does not fit; it became null. */
        MISFIT
    }

    private static final int NULL_LENGTH = -1;
    private static final int MAX_SHOWN = 60;

    private final FieldType type;
    private final PathFinder finder;
    private final KeyField writer;
    private final IdJson json = new IdJson();
    private int document;
    private boolean isInsideArray;

    public DocumentField(FieldPath path, FieldType type, JsonOptions options) {
        this.type = type;
        this.finder = new PathFinder(path);
        this.writer = TypedFields.of(type, options);
    }

    /**
     * Appends the field for the document of {@code size} bytes at {@code from}. A value that no jsonb can hold, in a document
     * that is thus rejected as a whole, counts as null.
     */
    public Outcome append(byte[] bytes, int from, int size, ByteSink out) {
        document = from;
        int mark = out.length();
        out.putInt(NULL_LENGTH);
        boolean found = finder.find(bytes, from, size);
        isInsideArray = !found && finder.endsAtArray();
        if (!found) {
            return isInsideArray ? Outcome.MISFIT : Outcome.NULL;
        }
        if (finder.type() == BsonType.NULL || (finder.type() == BsonType.UNDEFINED && type != FieldType.JSONB)) {
            return Outcome.NULL;
        }
        Fault fault = writer.write(finder.type(), bytes, finder.at(), finder.limit(), out);
        if (fault == null) {
            out.patchInt(mark, out.length() - mark - Integer.BYTES);
            return Outcome.VALUE;
        }
        out.length(mark + Integer.BYTES);
        return fault == Fault.COLUMN_NOT_FITTING ? Outcome.MISFIT : Outcome.NULL;
    }

    /** The last value that did not fit, in words: {@code "abc", a string}. */
    public String misfit(byte[] bytes) {
        if (isInsideArray) {
            return "a value inside an array";
        }
        String shown = json.of(finder.type(), bytes, document, finder.at(), finder.limit());
        String phrase = FieldType.phrase(finder.type());
        return shown.isEmpty() || shown.length() > MAX_SHOWN ? phrase : shown + ", " + phrase;
    }

    /** The offset in its document of the last value that did not fit. */
    public int offset() {
        return finder.at() - document;
    }
}
