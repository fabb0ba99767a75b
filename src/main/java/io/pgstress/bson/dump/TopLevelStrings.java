package io.pgstress.bson.dump;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The string values of a JSON object, and the keys of it and of its "options". */
final class TopLevelStrings {
    private static final String ESCAPED = "bfnrt";
    private static final String CHARACTERS = "\b\f\n\r\t";

    private final Map<String, String> values = new HashMap<>();
    private final Set<String> keys = new HashSet<>();
    private final List<String> options = new ArrayList<>();
    /** The top-level key whose value is being read. */
    private String section = "";

    private final String json;
    private int at;

    TopLevelStrings(String json) {
        this.json = json;
        scan();
    }

    /** The string of this key; empty if there is none. */
    String get(String key) {
        return values.getOrDefault(key, "");
    }

    /** Whether the object, or one a level below, has the key. */
    boolean has(String key) {
        return keys.contains(key);
    }

    /** The keys of the object "options", without the collection's own UUID. */
    List<String> options() {
        return options.stream().filter(key -> !key.equals("uuid")).toList();
    }

    private void seeKey(String key, int depth) {
        if (depth <= 2) {
            keys.add(key);
        }
        if (depth == 1) {
            section = key;
        } else if (depth == 2 && section.equals("options")) {
            options.add(key);
        }
    }

    private void scan() {
        int depth = 0;
        String key = "";
        while (at < json.length()) {
            char c = json.charAt(at++);
            if (c == '{' || c == '[') {
                depth++;
                key = "";
            } else if (c == '}' || c == ']') {
                depth--;
                key = "";
            } else if (c == ',') {
                key = "";
            } else if (c == '"') {
                String string = string();
                if (key.isEmpty() && followsColon()) {
                    key = string;
                    seeKey(string, depth);
                } else if (depth == 1 && !key.isEmpty()) {
                    values.put(key, string);
                }
            }
        }
    }

    private boolean followsColon() {
        int next = at;
        while (next < json.length() && Character.isWhitespace(json.charAt(next))) {
            next++;
        }
        return next < json.length() && json.charAt(next) == ':';
    }

    private String string() {
        StringBuilder text = new StringBuilder();
        while (at < json.length()) {
            char c = json.charAt(at++);
            if (c == '"') {
                break;
            }
            text.append(c == '\\' && at < json.length() ? escape() : c);
        }
        return text.toString();
    }

    private char escape() {
        char c = json.charAt(at++);
        if (c == 'u' && at + 4 <= json.length()) {
            at += 4;
            try {
                return (char) Integer.parseInt(json, at - 4, at, 16);
            } catch (NumberFormatException e) {
                return '\ufffd';
            }
        }
        int index = ESCAPED.indexOf(c);
        return index < 0 ? c : CHARACTERS.charAt(index);
    }
}
