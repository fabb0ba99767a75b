package io.pgstress.text;

import tools.jackson.core.JacksonException;

/** A text that is not of the form it should be; the message tells line and column where they are known. */
public final class TextException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TextException(String message) {
        super(message);
    }

    private TextException(String message, Throwable cause) {
        super(message, cause);
    }

    static TextException of(JacksonException e) {
        var at = e.getLocation();
        String place = at == null || at.getLineNr() < 1
                ? ""
                : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
        // the YAML reader shows the place again, below its words
        String words = String.valueOf(e.getOriginalMessage()).replaceAll("\\s+in '?reader'?, line[^^]*\\^", ",");
        return new TextException(place + words.replaceAll("\\s+", " ").replaceAll(",+\\s*$", ""), e);
    }
}
