package io.pgstress.extra.oplog;

/** Finds the parts of valid JSON, and writes strings. */
final class JsonText {
    private static final String END_OF_WORD = ",]} \n\r\t";

    private JsonText() {}

    /** The index of the first character from {@code from} that is not white space. */
    static int skipSpace(String json, int from) {
        int at = from;
        while (json.charAt(at) <= ' ') {
            at++;
        }
        return at;
    }

    /** The index after the value at {@code from}. */
    static int end(String json, int from) {
        char first = json.charAt(from);
        if (first == '"') {
            return stringEnd(json, from);
        }
        if (first != '{' && first != '[') {
            int at = from;
            while (at < json.length() && END_OF_WORD.indexOf(json.charAt(at)) < 0) {
                at++;
            }
            return at;
        }
        int depth = 0;
        int at = from;
        do {
            char c = json.charAt(at);
            if (c == '"') {
                at = stringEnd(json, at);
                continue;
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            at++;
        } while (depth > 0);
        return at;
    }

    private static int stringEnd(String json, int from) {
        int at = from + 1;
        while (json.charAt(at) != '"') {
            at += json.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    /** The string in quotes from {@code from} to before {@code end}. */
    static String string(String json, int from, int end) {
        String raw = json.substring(from + 1, end - 1);
        if (raw.indexOf('\\') < 0) {
            return raw;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char escaped = raw.charAt(++i);
            int plain = "bfnrt".indexOf(escaped);
            if (escaped == 'u') {
                text.append((char) Integer.parseInt(raw.substring(i + 1, i + 5), 16));
                i += 4;
            } else {
                text.append(plain < 0 ? escaped : "\b\f\n\r\t".charAt(plain));
            }
        }
        return text.toString();
    }

    /** Appends a string in quotes. */
    static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
