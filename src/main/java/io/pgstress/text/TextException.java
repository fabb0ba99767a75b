package io.pgstress.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** Thrown when a text is malformed; the message gives line and column if known. */
public final class TextException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final Pattern PLACE = Pattern.compile("line (\\d+)(?:, column (\\d+))?: (.*)", Pattern.DOTALL);

    public TextException(String message) {
        super(message);
    }

    private TextException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The same exception about a file. */
    public static TextException in(String file, TextException e) {
        return new TextException(in(file, String.valueOf(e.getMessage())), e);
    }

    /** A message about a file in the form {@code file:line: message}, or without the line if the message has none. */
    public static String in(String file, String message) {
        Matcher placed = PLACE.matcher(message);
        if (!placed.matches()) {
            return file + ": " + message;
        }
        String column = placed.group(2) == null ? "" : " (column " + placed.group(2) + ")";
        return file + ":" + placed.group(1) + ": " + placed.group(3) + column;
    }

    static TextException of(JacksonException e) {
        var at = e.getLocation();
        String place = at == null || at.getLineNr() < 1
                ? ""
                : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
        // the YAML parser repeats the position below its message
        String words = String.valueOf(e.getOriginalMessage()).replaceAll("\\s+in '?reader'?, line[^^]*\\^", ",");
        words = words.replaceAll(
                "\\s*\\(?(start marker )?at \\[Source:[^\\]]*\\]\\)?", ""); // positions in the parser's own form
        return new TextException(place + words.replaceAll("\\s+", " ").replaceAll(",+\\s*$", ""), e);
    }
}
