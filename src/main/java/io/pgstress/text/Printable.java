package io.pgstress.text;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Text of others, such as messages of servers and names in dumps, for terminals and reports. Characters that would control a terminal
 * (ECMA-48) or change the order of what is read (Unicode's bidirectional controls) become {@code \}{@code u001b}, as in JSON. Every
 * place that writes lines for people uses it, so that nobody needs to know which part of a line is foreign.
 */
public final class Printable {
    /** Line breaks and tabs remain here. */
    private static final Pattern CONTROL = Pattern.compile(
            "[\\p{Cc}&&[^\\n\\t]]|[\\x{2028}\\x{2029}\\x{61C}\\x{200E}\\x{200F}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}\\x{FEFF}]");

    private static final Pattern BREAK = Pattern.compile("\\r?\\n|\\t");

    private Printable() {}

    /** Whether the character has no effect but its look; line breaks and tabs have none either. */
    public static boolean isPlain(int codePoint) {
        return !CONTROL.matcher(Character.toString(codePoint)).matches();
    }

    /** The text, which may have several lines. */
    public static String lines(String text) {
        return CONTROL.matcher(text.replace("\r\n", "\n"))
                .replaceAll(found -> String.format(
                        Locale.ROOT, "\\\\u%04x", (int) found.group().charAt(0)));
    }

    /** The text in one line: line breaks and tabs become spaces. */
    public static String line(String text) {
        return lines(BREAK.matcher(text).replaceAll(" "));
    }
}
