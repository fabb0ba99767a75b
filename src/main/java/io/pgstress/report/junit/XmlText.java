package io.pgstress.report.junit;

import java.util.Locale;

/** Text in XML 1.0. */
final class XmlText {
    private static final int FIRST_PRINTABLE = 0x20;

    private XmlText() {}

    /**
     * The text for an element or an attribute in double quotes. Line breaks and tabs become references, because a parser would
     * turn them into spaces in an attribute. A character that XML 1.0 cannot represent, not even as a reference (such as U+001B),
     * becomes {@code \}{@code u001b} (<a href="https://www.w3.org/TR/xml/#charsets">section 2.2</a>).
     */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> append(c, escaped));
        return escaped.toString();
    }

    private static void append(int c, StringBuilder out) {
        switch (c) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            case '\t', '\n', '\r' -> out.append("&#").append(c).append(';');
            default -> {
                if (isCharacter(c)) {
                    out.appendCodePoint(c);
                } else {
                    out.append(String.format(Locale.ROOT, "\\u%04x", c));
                }
            }
        }
    }

    private static boolean isCharacter(int c) {
        boolean isSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        return c >= FIRST_PRINTABLE && !isSurrogate && c != 0xFFFE && c != 0xFFFF;
    }
}
