package io.pgstress.bson.copy;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Fault;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.copy.KeyFields.KeyField;
import io.pgstress.bson.json.Alterations;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.KeyKinds.KeyKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Converts each document to a row {@code (_id, data)} in COPY's binary format: rows of length-prefixed fields, between a
 * signature and a trailer. A jsonb field is its version, 1, and its text. Allocates nothing in steady state. Not thread-safe; one per
 * worker. The keys of objects are in jsonb's order.
 *
 * <p>Use: {@link #begin}, {@link #append} for each document, {@link #end}; the sink may be emptied in between once its contents
 * have been sent.
 */
public final class CopyRows {
    private static final String SIGNATURE = "PGCOPY\n\u00ff\r\n\0";
    private static final int COLUMNS = 2;
    private static final int JSONB_VERSION = 1;
    private static final int LENGTH_SIZE = 4;

    private final KeyForm form;
    private final KeyField field;
    private final KeyFinder key = new KeyFinder();
    private final DocumentConverter converter;
    private final JsonOptions options;
    private @Nullable Reject keyReject;
    private @Nullable DocumentConverter measuring;
    private boolean repeated;

    public CopyRows(KeyForm form, JsonOptions options) {
        this.form = form;
        this.options = options;
        field = KeyFields.of(form, options);
        converter = new DocumentConverter(options);
    }

    /** Appends what comes before the first row. */
    public static void begin(ByteSink out) {
        out.put(SIGNATURE.getBytes(StandardCharsets.ISO_8859_1));
        out.putInt(0);
        out.putInt(0);
    }

    /** Appends what comes after the last row. */
    public static void end(ByteSink out) {
        out.putShort(-1);
    }

    /**
     * Appends the row of the document of {@code size} bytes at {@code from}; false if it is rejected; the sink is then
     * unchanged and {@link #reject} has the reason.
     */
    public boolean append(byte[] bytes, int from, int size, ByteSink out) {
        int mark = out.length();
        keyReject = null;
        boolean done = find(bytes, from, size) && appendAnyKey(bytes, from, size, out);
        int data = out.length();
        done = done && appendData(bytes, from, size, out);
        repeated = done && converter.hasRepeatedKeys();
        if (repeated && isKeyRepeated(bytes, from, size)) {
            byte[] kept = Arrays.copyOfRange(out.array(), data, out.length());
            out.length(mark);
            done = appendKey(bytes, from, size, out);
            out.put(kept);
        }
        if (!done) {
            out.length(mark);
        }
        return done;
    }

    /**
     * Appends the first part of the row of a large document, so that the row need not be in memory as a whole: everything
     * before the document's JSON, whose length is determined by a first conversion.
     *
     * @param scratch an empty sink for the first conversion; its contents are lost
     */
    public boolean appendHead(byte[] bytes, int from, int size, ByteSink out, ByteSink scratch) {
        int mark = out.length();
        keyReject = null;
        boolean done = find(bytes, from, size) && appendAnyKey(bytes, from, size, out);
        long length = done ? measure(bytes, from, size, scratch) : -1;
        if (length >= 0 && repeated && isKeyRepeated(bytes, from, size)) {
            out.length(mark);
            done = appendKey(bytes, from, size, out);
        }
        if (!done || length < 0) {
            out.length(mark);
            return false;
        }
        out.putInt(Math.toIntExact(length + 1));
        out.put(JSONB_VERSION);
        return true;
    }

    /**
     * Appends the row of a document up to its key, the last if there are several; false if it has none that fits, in which case
     * the sink is unchanged. The rest of the document is not converted, so it may still be rejected.
     */
    public boolean appendKeyOnly(byte[] bytes, int from, int size, ByteSink out) {
        int mark = out.length();
        keyReject = null;
        boolean done = key.findLast(bytes, from, size) && appendKey(bytes, from, size, out);
        if (!done) {
            out.length(mark);
        }
        return done;
    }

    private boolean find(byte[] bytes, int from, int size) {
        boolean found = key.find(bytes, from, size);
        keyReject = found ? null : withoutKey(bytes, from, size);
        return found;
    }

    /** Whether {@code _id} is repeated; if so, finds the last one, which jsonb keeps. */
    private boolean isKeyRepeated(byte[] bytes, int from, int size) {
        int first = key.at();
        return key.findLast(bytes, from, size) && key.at() != first;
    }

    /** The length of the document's JSON; -1 if it is rejected. */
    private long measure(byte[] bytes, int from, int size, ByteSink scratch) {
        DocumentConverter first = measuring == null ? new DocumentConverter(options) : measuring;
        measuring = first;
        long[] passed = {0};
        scratch.spillTo((piece, count) -> passed[0] += count);
        boolean done;
        try {
            done = first.convert(bytes, from, size, scratch);
        } finally {
            scratch.spillTo(null);
        }
        keyReject = first.reject();
        repeated = first.hasRepeatedKeys();
        long length = passed[0] + scratch.length();
        scratch.clear();
        return done ? length : -1;
    }

    /** Appends the second part, the JSON; {@code out} may spill. */
    public void appendBody(byte[] bytes, int from, int size, ByteSink out) {
        if (!converter.convert(bytes, from, size, out)) {
            throw new IllegalStateException(
                    "a document that was converted before was rejected the second time: " + converter.reject());
        }
    }

    /** Appends the first key, or the last if the first does not fit. */
    private boolean appendAnyKey(byte[] bytes, int from, int size, ByteSink out) {
        int mark = out.length();
        if (appendKey(bytes, from, size, out)) {
            return true;
        }
        Reject first = keyReject;
        out.length(mark);
        keyReject = null;
        if (isKeyRepeated(bytes, from, size) && appendKey(bytes, from, size, out)) {
            return true;
        }
        keyReject = keyReject == null ? first : keyReject;
        return false;
    }

    private boolean appendKey(byte[] bytes, int from, int size, ByteSink out) {
        int start = out.length();
        out.putShort(COLUMNS);
        out.putInt(0);
        Fault fault = field.write(key.type(), bytes, key.at(), from + size - 1, out);
        if (fault != null) {
            String detail = fault == Fault.KEY_NOT_FITTING ? notFitting(bytes) : "in _id";
            keyReject = new Reject(fault, key.at() - from, detail);
            return false;
        }
        int content = start + Short.BYTES + LENGTH_SIZE;
        out.patchInt(content - LENGTH_SIZE, out.length() - content);
        return true;
    }

    private boolean appendData(byte[] bytes, int from, int size, ByteSink out) {
        int start = out.length();
        out.putInt(0);
        out.put(JSONB_VERSION);
        boolean done = converter.convertOrdered(bytes, from, size, out);
        // Otherwise convert it unordered, if only to locate the fault.
        done = done || converter.convert(bytes, from, size, out);
        out.patchInt(start, out.length() - start - LENGTH_SIZE);
        return done;
    }

    /** The reason for a document without a key; if the document is malformed, that is the reason. */
    private Reject withoutKey(byte[] bytes, int from, int size) {
        DocumentConverter check = new DocumentConverter(options);
        ByteSink nowhere = new ByteSink(1 << 10);
        nowhere.spillTo((piece, count) -> {});
        check.convert(bytes, from, size, nowhere);
        Reject broken = check.reject();
        return broken == null ? new Reject(Fault.KEY_MISSING, 0, "") : broken;
    }

    private String notFitting(byte[] bytes) {
        KeyKind kind = key.kind(bytes);
        return "it is " + kind.phrase() + ", the key's type is " + form.type() + " (--key-type)";
    }

    /** Why the last document was rejected; null if it was not. */
    public @Nullable Reject reject() {
        return keyReject == null ? converter.reject() : keyReject;
    }

    /** Whether an object of the last document repeated a key; jsonb keeps the last. */
    public boolean hasRepeatedKeys() {
        return repeated;
    }

    /** The alterations to the documents appended so far. */
    public Alterations tally() {
        return converter.tally();
    }
}
