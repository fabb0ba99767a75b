package io.pgstress.plan.script;

/** The characters of scripts, as pgbench scans them. */
final class ScriptText {
    private ScriptText() {}

    /** Whether the character separates words of a line. */
    static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\u000b';
    }

    /** Whether a variable's name may have this character, or begin with it. */
    static boolean isName(char c, boolean isFirst) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '_'
                || c >= 0x80
                || (!isFirst && c >= '0' && c <= '9');
    }

    /** Whether a variable can have this name. */
    static boolean isName(String name) {
        return !name.isEmpty() && isName(name.charAt(0), true) && name.chars().allMatch(c -> isName((char) c, false));
    }

    /** The end of the name that begins here; {@code from} if none does. */
    static int nameEnd(String text, int from) {
        int at = from;
        while (at < text.length() && isName(text.charAt(at), at == from)) {
            at++;
        }
        return at;
    }

    /** The beginning of the next line, if a backslash here ends this one and so continues it; otherwise the same position. */
    static int continuation(String text, int at) {
        if (text.startsWith("\\\n", at)) {
            return at + 2;
        }
        return text.startsWith("\\\r\n", at) ? at + 3 : at;
    }

    /** The end of a command that begins with a backslash: that of its last line, without the line break. */
    static int commandEnd(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) != '\n') {
            int continued = continuation(text, at);
            at = continued > at ? continued : at + 1;
        }
        return at;
    }
}
