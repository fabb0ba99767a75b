package io.pgstress.bson.json;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import io.pgstress.bson.Fault;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.ValueWriters.ValueWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Converts BSON documents to Extended JSON in UTF-8 without white space, and validates every byte. Allocates nothing once its
 * tables have grown to the documents' size. Not thread-safe; one per worker.
 *
 * <p>The output is valid jsonb and cannot exceed jsonb's limits: a string or object of 268,435,455 bytes would need a document
 * larger than {@link BsonType#MAX_DOCUMENT} (except with array elements with empty keys, which MongoDB does not write), every
 * number is in numeric's range, and non-finite numbers are strings.
 */
public final class DocumentConverter {
    /** Larger documents keep their order, so that converting them in pieces gives the same result. */
    private static final int MAX_ORDERED = 1 << 20;

    private final Conversion c;
    private final ValueWriter[] writers;
    private final boolean rejectDuplicates;
    private boolean ordering;
    private int base;
    private int elementAt;
    private byte unknown;
    private long duplicatesOfThis;
    private long nulDocuments;
    private long utf8Documents;
    private long duplicateKeys;
    private long duplicateKeyDocuments;
    private long legacyUuidDocuments;

    public DocumentConverter(JsonOptions options) {
        c = new Conversion(options);
        writers = ValueWriters.of(options.mode());
        rejectDuplicates = options.duplicateKeys() == DuplicateKeyPolicy.REJECT;
    }

    /**
     * Appends the document of {@code size} bytes at {@code from}; false if it is rejected; the sink is then unchanged and
     * {@link #reject} has the reason.
     */
    public boolean convert(byte[] source, int from, int size, ByteSink out) {
        return document(source, from, size, out);
    }

    /**
     * Like {@link #convert}, but sorts the keys of objects in jsonb's order unless the document is large. If a document has
     * several faults, which one is reported is unspecified.
     */
    public boolean convertOrdered(byte[] source, int from, int size, ByteSink out) {
        ordering = size <= MAX_ORDERED && !out.isSpilling();
        boolean done = document(source, from, size, out);
        ordering = false;
        return done;
    }

    private boolean document(byte[] source, int from, int size, ByteSink out) {
        if (size < BsonType.MIN_DOCUMENT || Bytes.intAt(source, from) != size) {
            base = from;
            c.fail(Fault.DOCUMENT_LENGTH, from);
            return false;
        }
        return value(BsonType.DOCUMENT, source, from, from, from + size, out);
    }

    /** Appends one value of a document that starts at {@code document}; the value must end at or before {@code limit}. */
    public boolean value(int type, byte[] source, int document, int at, int limit, ByteSink out) {
        int mark = out.length();
        base = document;
        elementAt = at;
        duplicatesOfThis = 0;
        c.begin(source, out, limit, ordering);
        boolean done = walk(type, at);
        unknown = c.fault() == Fault.UNKNOWN_TYPE ? source[elementAt] : 0;
        c.end();
        if (!done) {
            out.length(mark);
            return false;
        }
        count();
        return true;
    }

    private boolean walk(int type, int start) {
        // Not by write(): the outermost value is a document, and the compiler would inline its opening for every
        // element.
        int at = fits(type, start) ? writers[type & 0xff].write(c, start) : c.fail(Fault.VALUE_END, start);
        Frames frames = c.frames;
        while (at >= 0 && frames.depth() > 0) {
            if (frames.first() >= 0) {
                int next = frames.next();
                at = next < 0 ? close(c.limit) : element(c.order.start(next), c.order.value(next));
            } else if (at == c.limit) {
                at = close(at);
            } else {
                at = element(at);
            }
        }
        return at >= 0;
    }

    /** Converts an element of a sorted object, whose key and size are valid. */
    private int element(int at, int value) {
        if (!c.frames.hasDistinctKeys() || !c.plainKey(at + 1, value - 1)) {
            if (key(at + 1) < 0) {
                return Conversion.FAULT;
            }
        }
        elementAt = at;
        return write(c.source[at] & 0xff, value);
    }

    private int element(int at) {
        int type = c.source[at] & 0xff;
        if (type == 0) {
            return c.fail(Fault.DOCUMENT_END, at);
        }
        int value = c.frames.kind() == Frames.ARRAY ? position(at + 1) : key(at + 1);
        if (value < 0) {
            return value;
        }
        elementAt = at;
        return fits(type, value) ? write(type, value) : c.fail(Fault.VALUE_END, value);
    }

    private int write(int type, int value) {
        return type == BsonType.STRING ? c.string(value) : writers[type].write(c, value);
    }

    /** Whether a value of this type, if its size is fixed, fits at {@code at}. */
    private boolean fits(int type, int at) {
        return c.holds(at, Elements.fixedSize(type));
    }

    private int close(int at) {
        if (c.source[at] != 0) {
            return c.fail(Fault.DOCUMENT_END, at);
        }
        int first = c.frames.first();
        if (first >= 0) {
            c.order.forget(first);
        }
        byte kind = c.frames.pop();
        c.out.put(kind == Frames.ARRAY ? ']' : '}');
        if (kind == Frames.SCOPE) {
            c.out.put('}');
        }
        if (c.frames.depth() > 0) {
            c.limit = c.frames.limit();
        }
        return at + 1;
    }

    /** Skips an array element's key, which has no meaning. */
    private int position(int at) {
        int end = Bytes.nulAt(c.source, at, c.limit);
        if (end < 0) {
            return c.fail(Fault.KEY_END, at);
        }
        separate();
        return end + 1;
    }

    private int key(int at) {
        int end = Bytes.nulAt(c.source, at, c.limit);
        if (end < 0) {
            return c.fail(Fault.KEY_END, at);
        }
        separate();
        if (c.out.isSpilling()) {
            c.keep(at, end);
        }
        int from = c.out.length() + 1;
        if (!c.quoted(at, end)) {
            return Conversion.FAULT;
        }
        int to = c.out.length() - 1;
        if (!c.frames.hasDistinctKeys() && !c.isNewKey(at, from, to)) {
            duplicatesOfThis++;
            if (rejectDuplicates) {
                return c.fail(Fault.DUPLICATE_KEY, at);
            }
        }
        c.out.put(':');
        return end + 1;
    }

    /** Appends a comma, unless the container was just opened; a value never ends with an opening bracket. */
    private void separate() {
        byte last = c.out.array()[c.out.length() - 1];
        if (last != '{' && last != '[') {
            c.out.put(',');
        }
    }

    private void count() {
        nulDocuments += c.text.nulSeen() ? 1 : 0;
        utf8Documents += c.text.invalidSeen() ? 1 : 0;
        duplicateKeys += duplicatesOfThis;
        duplicateKeyDocuments += duplicatesOfThis > 0 ? 1 : 0;
        legacyUuidDocuments += c.keepsUuid ? 1 : 0;
    }

    /** Why the last document was rejected; null if it was not. */
    public @Nullable Reject reject() {
        Fault fault = c.fault();
        if (fault == null) {
            return null;
        }
        if (fault == Fault.UNKNOWN_TYPE) {
            return new Reject(fault, elementAt - base, String.format(Locale.ROOT, "0x%02x", unknown));
        }
        return new Reject(fault, c.faultAt() - base, "");
    }

    /** Whether an object of the last document repeated a key. */
    public boolean hasRepeatedKeys() {
        return duplicatesOfThis > 0;
    }

    /** The alterations to the documents converted so far. */
    public Alterations tally() {
        return new Alterations(
                nulDocuments, utf8Documents, duplicateKeys, duplicateKeyDocuments, 0, legacyUuidDocuments);
    }
}
