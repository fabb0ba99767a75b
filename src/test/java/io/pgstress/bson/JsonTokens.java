package io.pgstress.bson;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A strict JSON reader for tests. Returns the tokens with decoded strings, or throws an IllegalArgumentException with the
 * position of the error.
 */
public final class JsonTokens {
    private final String text;
    private final List<String> tokens = new ArrayList<>();
    private int at;

    private JsonTokens(String text) {
        this.text = text;
    }

    public static List<String> of(byte[] utf8) {
        try {
            return of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not UTF-8", e);
        }
    }

    /** Brackets, colons, commas and words as they are, strings with a leading {@code s}, numbers with a leading {@code n}. */
    public static List<String> of(String text) {
        JsonTokens reader = new JsonTokens(text);
        reader.values();
        return reader.tokens;
    }

    /** Keeps a stack of closing brackets, for nesting of any depth. */
    private void values() {
        StringBuilder open = new StringBuilder();
        boolean wantValue = true;
        boolean mayClose = false;
        while (true) {
            char c = peek();
            if (wantValue && !(mayClose && (c == ']' || c == '}'))) {
                if (open.length() > 0 && last(open) == '}') {
                    string();
                    take(':');
                }
                c = peek();
                if (c == '{' || c == '[') {
                    take(c);
                    open.append(c == '{' ? '}' : ']');
                    mayClose = true;
                    continue;
                }
                scalar(c);
                wantValue = false;
            } else if (c == ',' && open.length() > 0) {
                take(',');
                wantValue = true;
                mayClose = false;
                continue;
            } else {
                if (open.length() == 0) {
                    break;
                }
                take(last(open));
                open.setLength(open.length() - 1);
                wantValue = false;
            }
            if (open.length() == 0) {
                break;
            }
        }
        if (peek() != 0) {
            throw fault("the end");
        }
    }

    private static char last(StringBuilder open) {
        return open.charAt(open.length() - 1);
    }

    private void scalar(char c) {
        if (c == '"') {
            string();
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            number();
        } else {
            for (String word : List.of("true", "false", "null")) {
                if (text.startsWith(word, at)) {
                    at += word.length();
                    tokens.add(word);
                    return;
                }
            }
            throw fault("a value");
        }
    }

    private void number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(from, at);
        if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
            throw fault("a number");
        }
        tokens.add("n" + new BigDecimal(number).stripTrailingZeros() + (number.matches("-?[0-9]+") ? "" : "f"));
    }

    private void string() {
        take('"');
        tokens.remove(tokens.size() - 1);
        StringBuilder decoded = new StringBuilder("s");
        while (true) {
            char c = at < text.length() ? text.charAt(at++) : 0;
            if (c == '"') {
                break;
            }
            if (c < ' ') {
                throw fault("a character of a string");
            }
            decoded.append(c == '\\' ? escape() : c);
        }
        tokens.add(decoded.toString());
    }

    private char escape() {
        char c = at < text.length() ? text.charAt(at++) : 0;
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int index = "\"\\/bfnrt".indexOf(c);
        if (index < 0) {
            throw fault("an escape");
        }
        return "\"\\/\b\f\n\r\t".charAt(index);
    }

    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void take(char expected) {
        if (peek() != expected) {
            throw fault(String.valueOf(expected));
        }
        at++;
        tokens.add(String.valueOf(expected));
    }

    private IllegalArgumentException fault(String expected) {
        String near = text.substring(Math.max(0, at - 20), Math.min(text.length(), at + 20));
        return new IllegalArgumentException("expected " + expected + " at " + at + ", near " + near);
    }
}
