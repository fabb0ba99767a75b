package io.pgstress.extra.suggest;

import java.util.Locale;

/** Names of fields as SQL literals. They may be any text, and must survive in a YAML file on one line. */
final class Literal {
    private Literal() {}

    /** The text in quotes; in an E'' literal if it contains control characters, or what looks like a placeholder. */
    static String of(String text) {
        StringBuilder plain = new StringBuilder();
        boolean escaped = false;
        for (int at = 0; at < text.length(); ) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            boolean isPlaceholder = c == '$' && at < text.length() && text.charAt(at) == '{';
            if (isPlaceholder || !isPrintable(c)) {
                plain.append(String.format(Locale.ROOT, c > 0xffff ? "\\U%08X" : "\\u%04X", c));
                escaped = true;
            } else if (c == '\\') {
                plain.append("\\\\");
                escaped = true;
            } else {
                plain.appendCodePoint(c);
            }
        }
        return escaped ? "E'" + plain.toString().replace("'", "\\'") + "'" : "'" + text.replace("'", "''") + "'";
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
