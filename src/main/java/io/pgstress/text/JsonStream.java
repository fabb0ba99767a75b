package io.pgstress.text;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** JSON values, one after the other, read token by token, without building a whole value in memory. Not thread-safe. */
public final class JsonStream implements AutoCloseable {
    /** Limits far above those of documents, whose size is limited by whoever provides the text. */
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(UNLIMITED)
                    .maxStringLength(UNLIMITED)
                    .maxNameLength(UNLIMITED)
                    .maxNumberLength(UNLIMITED)
                    .build())
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    /** What begins, ends or stands at a place of the text. */
    public enum Token {
        OBJECT,
        END_OBJECT,
        ARRAY,
        END_ARRAY,
        NAME,
        STRING,
        INTEGER,
        /** Also {@code NaN} and infinities, which JSON does not have. */
        DECIMAL,
        TRUE,
        FALSE,
        NULL,
        /** Nothing follows. */
        END
    }

    private final JsonParser in;

    private JsonStream(JsonParser in) {
        this.in = in;
    }

    /** The values in these bytes, which must be UTF-8. */
    public static JsonStream of(byte[] utf8, int from, int length) {
        return new JsonStream(FACTORY.createParser(ObjectReadContext.empty(), utf8, from, length));
    }

    /** The values in these characters, which may be surrogates without their counterpart. */
    public static JsonStream of(char[] text, int from, int length) {
        return new JsonStream(FACTORY.createParser(ObjectReadContext.empty(), text, from, length));
    }

    /**
     * The next token.
     *
     * @throws InvalidJsonException if none can be read
     */
    public Token next() {
        try {
            JsonToken token = in.nextToken();
            return token == null ? Token.END : of(token);
        } catch (JacksonException e) {
            throw new InvalidJsonException(e, offset(e.getLocation()));
        }
    }

    /**
     * Skips the value of the current name, without decoding its strings.
     *
     * @throws InvalidJsonException if it cannot be read to its end
     */
    public void skipValue() {
        try {
            in.nextToken();
            in.skipChildren();
        } catch (JacksonException e) {
            throw new InvalidJsonException(e, offset(e.getLocation()));
        }
    }

    private static Token of(JsonToken token) {
        return switch (token) {
            case START_OBJECT -> Token.OBJECT;
            case END_OBJECT -> Token.END_OBJECT;
            case START_ARRAY -> Token.ARRAY;
            case END_ARRAY -> Token.END_ARRAY;
            case PROPERTY_NAME -> Token.NAME;
            case VALUE_STRING -> Token.STRING;
            case VALUE_NUMBER_INT -> Token.INTEGER;
            case VALUE_NUMBER_FLOAT -> Token.DECIMAL;
            case VALUE_TRUE -> Token.TRUE;
            case VALUE_FALSE -> Token.FALSE;
            default -> Token.NULL;
        };
    }

    /**
     * The current name, string or number.
     *
     * @throws InvalidJsonException if it cannot be read to its end
     */
    public String text() {
        try {
            return in.getString();
        } catch (JacksonException e) {
            throw new InvalidJsonException(e, offset(e.getLocation()));
        }
    }

    /** Where the current token begins, in bytes or characters from the first one. */
    public int offset() {
        return offset(in.currentTokenLocation());
    }

    /** Where the current token ends, in bytes or characters from the first one; so far as it was read. */
    public int end() {
        return offset(in.currentLocation());
    }

    private static int offset(@Nullable TokenStreamLocation at) {
        if (at == null) {
            return 0;
        }
        return (int) Math.max(0, at.getByteOffset() >= 0 ? at.getByteOffset() : at.getCharOffset());
    }

    @Override
    public void close() {
        in.close();
    }

    /** Thrown when the text is not JSON; the message says what is wrong. */
    public static final class InvalidJsonException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int offset;

        InvalidJsonException(JacksonException e, int offset) {
            super(TextException.words(e), e);
            this.offset = offset;
        }

        /** Where it is, in bytes or characters of the text. */
        public int offset() {
            return offset;
        }
    }
}
