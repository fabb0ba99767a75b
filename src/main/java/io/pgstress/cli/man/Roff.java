package io.pgstress.cli.man;

/**
 * A page in the language of man(7). It uses only what both groff and mandoc know. Not thread-safe.
 *
 * @see <a href="https://man.openbsd.org/man.7">man(7)</a>
 */
final class Roff {
    /** Characters of a line of the source, as mandoc recommends. */
    private static final int MAX_LINE = 80;

    private final StringBuilder text = new StringBuilder();

    /** Adds a request with arguments, such as {@code .SH "EXIT STATUS"}. */
    Roff request(String name, String... arguments) {
        text.append('.').append(name);
        for (String argument : arguments) {
            text.append(" \"").append(escaped(argument).replace("\"", "\\(dq")).append('"');
        }
        text.append('\n');
        return this;
    }

    /** Adds text, in short lines of the source. */
    Roff text(String paragraph) {
        StringBuilder lines = new StringBuilder();
        int length = 0;
        for (String word : escaped(paragraph).split("\\s+", -1)) {
            boolean fits = length + 1 + word.length() <= MAX_LINE;
            lines.append(length == 0 ? "" : fits ? " " : "\n").append(word);
            length = word.length() + (length > 0 && fits ? length + 1 : 0);
        }
        return raw(lines.toString());
    }

    /** Adds lines whose escape sequences are complete. */
    Roff raw(String lines) {
        for (String line : lines.split("\n", -1)) {
            text.append(line.startsWith(".") || line.startsWith("'") ? "\\&" : "")
                    .append(line)
                    .append('\n');
        }
        return this;
    }

    /** Adds an entry of a list: a tag, whose escape sequences are complete, and its text. */
    Roff entry(String tag, String description) {
        request("TP");
        raw(tag);
        return text(description);
    }

    static String bold(String word) {
        return "\\fB" + escaped(word) + "\\fR";
    }

    static String italic(String word) {
        return "\\fI" + escaped(word) + "\\fR";
    }

    /** Text in which nothing is an escape sequence; a hyphen is a minus sign, which can be copied to a command line. */
    static String escaped(String text) {
        return text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("'", "\\(aq")
                .replace("`", "\\(ga")
                .replace("^", "\\(ha")
                .replace("~", "\\(ti");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
