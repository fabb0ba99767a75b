package io.pgstress.bson.json;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The escapes for characters that a text format cannot contain literally, by character code below 128. The only backslashes in
 * JSON are those of its escapes, so for COPY's text format each of them is doubled.
 */
public final class Escapes {
    /** No escapes: a text field of COPY's binary format. */
    public static final Escapes NONE = new Escapes("", 0, "");
    /** COPY's text format. */
    public static final Escapes COPY_TEXT = new Escapes("\\bfnrtv", 0, "\\");
    /** JSON. */
    public static final Escapes JSON = new Escapes("\\\"bfnrt", 32, "\\");
    /** JSON in a field of COPY's text format. */
    public static final Escapes JSON_IN_COPY_TEXT = new Escapes("\\\"bfnrt", 32, "\\\\");

    private static final String NAMES = "\\\"bfnrtv";
    private static final String CHARACTERS = "\\\"\b\f\n\r\t\u000b";

    private final byte[][] byCharacter = new byte[128][];

    private Escapes(String names, int controlsBelow, String backslash) {
        for (int c = 0; c < controlsBelow; c++) {
            set(c, String.format(Locale.ROOT, "%su%04x", backslash, c));
        }
        for (int i = 0; i < names.length(); i++) {
            char name = names.charAt(i);
            // COPY escapes a backslash with a backslash, so JSON's escape for it has four.
            String after = name == '\\' ? backslash : String.valueOf(name);
            set(CHARACTERS.charAt(NAMES.indexOf(name)), backslash + after);
        }
    }

    private void set(int character, String escape) {
        byCharacter[character] = escape.getBytes(StandardCharsets.US_ASCII);
    }

    /** The escape for this character, which is below 128; null if it needs none. */
    byte @Nullable [] of(int character) {
        return byCharacter[character];
    }
}
