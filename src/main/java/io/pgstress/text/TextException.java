package io.pgstress.text;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Thrown when a text is malformed; the message gives line and column if known. */
public class TextException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;
    private final String words;

    public TextException(String message) {
        this(0, 0, message, null);
    }

    public TextException(String message, Throwable cause) {
        this(0, 0, message, cause);
    }

    /** @param line, column from 1; 0: unknown */
    TextException(int line, int column, String words, @Nullable Throwable cause) {
        super((line > 0 ? "line " + line + ", column " + column + ": " : "") + words, cause);
        this.line = line;
        this.column = column;
        this.words = words;
    }

    /** Where the text is malformed, such as {@code line 1, column 14}; empty if that is unknown. */
    public String place() {
        return line > 0 ? "line " + line + ", column " + column : "";
    }

    /** A copy whose message begins with the file, in the form {@code file:line: message}, or without the line if it is not known. */
    public static TextException in(String file, TextException e) {
        String place = e.line > 0 ? file + ":" + e.line : file;
        String column = e.line > 0 ? " (column " + e.column + ")" : "";
        return new TextException(0, 0, place + ": " + e.words + column, e);
    }

    static TextException of(JacksonException e) {
        var at = e.getLocation();
        boolean isPlaced = at != null && at.getLineNr() > 0;
        return new TextException(isPlaced ? at.getLineNr() : 0, isPlaced ? at.getColumnNr() : 0, words(e), e);
    }

    /** What is wrong, on one line and without the position. */
    static String words(JacksonException e) {
        // the YAML parser repeats the position below its message
        String words = String.valueOf(e.getOriginalMessage()).replaceAll("\\s+in '?reader'?, line[^^]*\\^", ",");
        words = words.replaceAll(
                "\\s*\\(?(start marker )?at \\[Source:[^\\]]*\\]\\)?", ""); // positions in the parser's own form
        words = words.replaceAll(
                ": (JSON spec [^:]*: enable|[a-z ]+ requires? enabling|enable) `JsonReadFeature\\.\\w+`( to allow)?",
                "");
        return words.replaceAll("\\s+", " ").replaceAll(",+\\s*$", "");
    }
}
