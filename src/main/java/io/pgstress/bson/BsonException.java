package io.pgstress.bson;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when input is malformed or unreadable. The one-line message names the input, the byte, what was expected and what was
 * found. The offset counts bytes from the start of the decompressed input; -1 if it does not apply.
 */
public final class BsonException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String label;
    private final long offset;

    public BsonException(String label, long offset, String expected, String found) {
        this(label, offset, expected, found, null);
    }

    public BsonException(String label, long offset, String expected, String found, @Nullable Throwable cause) {
        super(line(label, offset, expected, found), cause);
        this.label = label;
        this.offset = offset;
    }

    private BsonException(String label, long offset, String message) {
        super(message);
        this.label = label;
        this.offset = offset;
    }

    /** Of an input without any documents: {@code x.bson is a zip archive}. */
    public static BsonException foreign(String label, String is) {
        return new BsonException(label, 0, label + " is " + is);
    }

    /** Of an input that is text: its message also names the line, from 1. */
    public static BsonException inText(String label, long line, long offset, String expected, String found) {
        return new BsonException(
                label,
                offset,
                label + " in line " + line + " at byte " + offset + ": expected " + expected + ", found " + found);
    }

    private static String line(String label, long offset, String expected, String found) {
        String place = offset < 0 ? label : label + " at byte " + offset;
        return place + ": expected " + expected + ", found " + found;
    }

    /** A copy that also says what may have caused it. */
    public BsonException because(String words) {
        BsonException more = new BsonException(label, offset, getMessage() + "; " + words);
        more.initCause(this);
        return more;
    }

    /** The file's path, or the name of the stream. */
    public String label() {
        return label;
    }

    /** The byte offset in the uncompressed input, from 0; -1 if it does not apply. */
    public long offset() {
        return offset;
    }
}
