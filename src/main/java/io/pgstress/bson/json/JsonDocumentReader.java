package io.pgstress.bson.json;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentSource;
import io.pgstress.bson.ForeignData;
import io.pgstress.bson.InputWindow;
import java.io.IOException;

/**
 * Splits the text of mongoexport into documents, which stand one after the other, usually one a line, or in an array. Braces and
 * brackets determine where a document ends; the chunk parses it. Holds one document at a time. Not thread-safe.
 */
public final class JsonDocumentReader extends DocumentSource {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    /** The most bytes of a document's text. {@code {"$minKey":1},} takes 14 for the two or more that it is in BSON. */
    private static final int MAX_TEXT = 8 * BsonType.MAX_DOCUMENT;

    private static final int KEPT = 1 << 20;

    private final InputWindow in;
    private final ByteSink text = new ByteSink(1 << 12);
    private boolean hasBegun;
    private boolean isArray;
    private boolean hasEnded;
    /** Whether the document in {@link #text} is not in a chunk yet. */
    private boolean held;

    private long line = 1;
    private long startLine;
    private long start;

    /** Reads documents up to the end of {@code in} into chunks of about {@code capacity} bytes. */
    public JsonDocumentReader(InputWindow in, int capacity) {
        super(in, capacity);
        this.in = in;
    }

    /**
     * Whether the input begins like JSON with documents, after white space. The fourth byte of a document's length is 0 or 1, which
     * no text has.
     */
    public static boolean begins(InputWindow in) throws IOException {
        if (in.available(Integer.BYTES) >= Integer.BYTES && in.peekInt() >> 25 == 0) {
            return false;
        }
        int first = firstFrom(in, hasMark(in) ? BYTE_ORDER_MARK.length : 0);
        int next = firstFrom(in, first + 1);
        int follows = byteAt(in, next);
        return switch (byteAt(in, first)) {
            case '{' -> follows == '"' || follows == '}';
            case '[' -> follows == '{' || follows == ']';
            default -> false;
        };
    }

    private static boolean hasMark(InputWindow in) throws IOException {
        for (int i = 0; i < BYTE_ORDER_MARK.length; i++) {
            if (byteAt(in, i) != BYTE_ORDER_MARK[i]) {
                return false;
            }
        }
        return true;
    }

    /** The place of the first byte from here on that is not white space. */
    private static int firstFrom(InputWindow in, int from) throws IOException {
        int at = from;
        while (isWhite(byteAt(in, at))) {
            at++;
        }
        return at;
    }

    /** The byte at this distance; 0 if the input or the window ends before it. */
    private static int byteAt(InputWindow in, int ahead) throws IOException {
        return ahead < in.capacity() && in.available(ahead + 1) > ahead ? in.peek(ahead) : 0;
    }

    private static boolean isWhite(int c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    @Override
    protected End fill(Chunk chunk) throws IOException {
        ExtendedJsonParser parser = new ExtendedJsonParser(); // the chunk is parsed while this reads the next one
        while (held || next()) {
            held = exceeds(chunk, text.length());
            if (held) {
                return End.FULL;
            }
            chunk.addText(text.array(), text.length(), start, startLine, parser);
        }
        return End.INPUT;
    }

    /** Reads the next document; false if there is none. */
    private boolean next() throws IOException {
        text.shrink(KEPT);
        if (hasEnded || !isAtDocument()) {
            hasEnded = true;
            return false;
        }
        readText();
        return true;
    }

    /** Moves to the next document; false if there is none. */
    private boolean isAtDocument() throws IOException {
        int c;
        if (!hasBegun) {
            hasBegun = true;
            in.skip(hasMark(in) ? BYTE_ORDER_MARK.length : 0);
            c = skipWhite();
            isArray = c == '[';
            if (isArray) {
                in.skip(1);
                c = skipWhite();
            }
        } else {
            c = skipWhite();
            if (isArray && c != ']') {
                require(c == ',', "a comma, or the bracket that ends the array");
                in.skip(1);
                c = skipWhite();
                require(c != ']', "a document after the comma");
            }
        }
        if (isArray && c == ']') {
            in.skip(1);
            require(skipWhite() == 0 && in.available(1) == 0, "the end of the input after the array");
            return false;
        }
        if (!isArray && in.available(1) == 0) {
            return false;
        }
        require(c == '{', "a document");
        return true;
    }

    private void require(boolean condition, String expected) throws IOException {
        if (!condition) {
            String foreign = ForeignData.at(in);
            String found = foreign.isEmpty() ? "data that are not JSON" : foreign;
            boolean isEnd = in.available(1) == 0;
            throw BsonException.inText(
                    in.label(), line, in.position(), expected, isEnd ? "the end of the input" : found);
        }
    }

    /** The next byte that is not white space; 0 at the end of the input. */
    private int skipWhite() throws IOException {
        while (in.available(1) > 0) {
            int c = in.peek(0);
            if (!isWhite(c)) {
                return c;
            }
            line += c == '\n' ? 1 : 0;
            in.skip(1);
        }
        return 0;
    }

    /** Reads the text up to the brace that ends the document. */
    private void readText() throws IOException {
        start = in.position();
        startLine = line;
        int depth = 0;
        boolean inString = false;
        boolean isEscaped = false;
        for (int available = in.available(1); available > 0; available = in.available(1)) {
            for (int i = 0; i < available; i++) {
                int c = in.peek(i);
                if (inString) {
                    if (c == '\n') {
                        in.skip(i);
                        throw BsonException.inText(
                                in.label(), line, in.position(), "the quote that ends a string", "the end of the line");
                    }
                    inString = isEscaped || c != '"';
                    isEscaped = !isEscaped && c == '\\';
                    continue;
                }
                switch (c) {
                    case '"' -> inString = true;
                    case '\n' -> line++;
                    case '{', '[' -> depth++;
                    case '}', ']' -> depth--;
                    default -> {}
                }
                if (depth == 0) {
                    take(i + 1);
                    return;
                }
            }
            take(available);
        }
        throw BsonException.inText(
                in.label(), startLine, start, "a document up to its closing brace", "the end of the input");
    }

    private void take(int count) throws IOException {
        if (text.length() + count > MAX_TEXT) {
            throw BsonException.inText(
                    in.label(), startLine, start, "a document of at most " + MAX_TEXT + " bytes", "more");
        }
        in.copy(text.ensure(count), text.length(), count);
        text.length(text.length() + count);
    }
}
