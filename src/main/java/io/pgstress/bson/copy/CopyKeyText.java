package io.pgstress.bson.copy;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.copy.KeyFields.KeyField;
import io.pgstress.bson.json.Fault.Reject;
import io.pgstress.bson.json.Fault;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyForm;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The keys of documents as text that the server reads as a value of the key's type. Not thread-safe. */
public final class CopyKeyText {
    private static final int KEPT = 1 << 12;

    private final KeyForm form;
    private final KeyField field;
    private final KeyFinder finder = new KeyFinder();
    private final ByteSink sink = new ByteSink(1 << 6);
    private @Nullable Reject reject;

    public CopyKeyText(KeyForm form, JsonOptions options) {
        this.form = form;
        boolean text = form == KeyForm.TEXT || form == KeyForm.TEXT_OF_JSON;
        field = KeyFields.of(form, text ? CopyFormat.BINARY : CopyFormat.TEXT, options); // a binary text has no escapes
    }

    /**
     * The key of the document of {@code size} bytes at {@code from}, the last if there are several; null if there is none or it
     * does not fit, for the reason that {@link #reject} returns.
     */
    public @Nullable String of(byte[] bytes, int from, int size) {
        reject = null;
        sink.shrink(KEPT);
        if (!finder.findLast(bytes, from, size)) {
            reject = new Reject(Fault.KEY_MISSING, 0, "");
            return null;
        }
        Fault fault = field.write(finder.type(), bytes, finder.at(), from + size - 1, sink);
        if (fault != null) {
            String kind = finder.kind(bytes).phrase();
            boolean unfit = fault == Fault.KEY_NOT_FITTING;
            reject = new Reject(fault, finder.at() - from, unfit ? notFitting(kind) : "in _id");
            return null;
        }
        return new String(sink.array(), 0, sink.length(), StandardCharsets.UTF_8);
    }

    private String notFitting(String kind) {
        return "it is " + kind + ", the key's type is " + form.type() + " (--key-type)";
    }

    /** Why the last document has no key; null if it has one. */
    public @Nullable Reject reject() {
        return reject;
    }
}
