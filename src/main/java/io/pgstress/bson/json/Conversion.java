package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Fault;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import io.pgstress.bson.json.Text.AsciiRun;
import io.pgstress.bson.json.Text.Escapes;
import io.pgstress.bson.json.ValueWriters.ValueWriter;
import org.jspecify.annotations.Nullable;

/**
 * The state of a conversion, which each {@link ValueWriter} uses: the document's bytes, the open containers, the sink, and the
 * fault if there is one. Its methods return the index after what they read, or {@link #FAULT}.
 */
final class Conversion {
    static final int FAULT = -1;

    private static final byte[] NOTHING = {};

    /** Maximum number of bytes written for one byte of a string. */
    private static final int MAX_ESCAPE = 6;
    /** Extra room for quotes and for bytes copied beyond the end of a run. */
    private static final int ROOM = 32;

    /** Longer keys take the slow path. */
    private static final int MAX_PLAIN_KEY = 24;

    private static final int KEY_ROOM = MAX_PLAIN_KEY + ROOM;

    final Text text;
    final Frames frames;
    final KeySet keys = new KeySet();
    final KeyOrder order;
    final DoubleText doubles = new DoubleText();
    final Decimal128Text decimals = new Decimal128Text();
    final LegacyUuids uuids;
    /** The bytes of a UUID. */
    final byte[] uuid = new byte[LegacyUuids.SIZE];
    /** Whether the document has a UUID of subtype 3 that stays as it is. */
    boolean keepsUuid;

    byte[] source = NOTHING;
    ByteSink out = new ByteSink(16);
    /** Index of the zero byte that ends the innermost container; no value may extend beyond it. */
    int limit;

    /** Whether to sort the keys of objects. */
    private boolean ordering;

    private @Nullable Fault fault;
    private int faultAt;

    Conversion(JsonOptions options) {
        text = new Text(Escapes.JSON, options.nul(), options.utf8());
        frames = new Frames(options.maxDepth());
        uuids = options.uuids();
        order = new KeyOrder(options.utf8() == Utf8Policy.REPLACE);
    }

    /** @param ordered whether to sort the keys of objects in jsonb's order */
    void begin(byte[] document, ByteSink sink, int end, boolean ordered) {
        source = document;
        out = sink;
        limit = end;
        ordering = ordered;
        fault = null;
        keepsUuid = false;
        frames.clear();
        order.forget(0);
        keys.reset();
        text.reset();
    }

    /** Releases the document, which may be large. */
    void end() {
        keys.release();
        source = NOTHING;
    }

    int fail(Fault reason, int at) {
        fault = reason;
        faultAt = at;
        return FAULT;
    }

    @Nullable
    Fault fault() {
        return fault;
    }

    int faultAt() {
        return faultAt;
    }

    /** Whether a value of this size fits before the limit. */
    boolean holds(int at, int size) {
        return size <= limit - at;
    }

    /**
     * Writes the key between {@code from} and the NUL at {@code to}, with its punctuation, if it is short and ASCII without
     * escapes, as almost all are. Otherwise writes nothing and returns false.
     */
    boolean plainKey(int from, int to) {
        byte[] target = out.ensure(KEY_ROOM);
        int w = out.length();
        if (target[w - 1] != '{') {
            target[w++] = ',';
        }
        target[w++] = '"';
        if (AsciiRun.copy(source, from, target, w, MAX_PLAIN_KEY) != to) {
            return false;
        }
        w += to - from;
        target[w++] = '"';
        target[w++] = ':';
        out.length(w);
        return true;
    }

    /** Makes room for a quoted key, so that a sink that spills keeps it whole. */
    void keep(int from, int to) {
        out.ensure(Math.addExact(Math.multiplyExact(to - from, MAX_ESCAPE), ROOM));
    }

    /** Whether the key at {@code at}, written between {@code from} and {@code to}, is new in its object. */
    boolean isNewKey(int at, int from, int to) {
        return keys.add(frames.serial(), out.array(), from, to, out.isSpilling() ? source : null, at);
    }

    /** Opens the document or array whose length is at {@code at}. */
    int open(byte kind, int at) {
        int size = holds(at, 4) ? Bytes.intAt(source, at) : 0;
        if (size < 5 || size > limit - at) {
            return fail(Fault.DOCUMENT_LENGTH, at);
        }
        if (!frames.push(kind, at + size - 1, keys.nextSerial())) {
            return fail(Fault.TOO_DEEP, at);
        }
        limit = at + size - 1;
        out.put(kind == Frames.ARRAY ? '[' : '{');
        if (ordering && kind == Frames.OBJECT) {
            int first = order.used();
            if (order.enter(source, at + 4, limit)) {
                frames.order(first, order.used(), order.isDistinct());
            }
        }
        return at + 4;
    }

    /** Writes the string whose length is at {@code at}, in quotes. */
    int string(int at) {
        int size = holds(at, 4) ? Bytes.intAt(source, at) : 0;
        if (size < 1 || size > limit - at - 4) {
            return fail(Fault.STRING_LENGTH, at);
        }
        int end = at + 4 + size - 1;
        if (source[end] != 0) {
            return fail(Fault.STRING_END, end);
        }
        return quoted(at + 4, end) ? end + 1 : FAULT;
    }

    /** Writes the zero-terminated string at {@code at}, in quotes. */
    int cstring(int at) {
        int end = Bytes.nulAt(source, at, limit);
        if (end < 0) {
            return fail(Fault.CSTRING_END, at);
        }
        return quoted(at, end) ? end + 1 : FAULT;
    }

    /** Writes this range in quotes; false, with the fault set, if a policy forbids it. */
    boolean quoted(int from, int to) {
        out.put('"');
        if (!text.write(source, from, to, out)) {
            int at = text.faultAt();
            fail(source[at] == 0 ? Fault.NUL_CHARACTER : Fault.INVALID_UTF8, at);
            return false;
        }
        out.put('"');
        return true;
    }
}
