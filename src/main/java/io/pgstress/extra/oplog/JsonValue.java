package io.pgstress.extra.oplog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value that is parsed only where it is changed; the rest stays text, so numbers keep their digits. Of repeated keys the
 * last counts, as in jsonb. Not thread-safe.
 */
final class JsonValue {
    private static final Set<String> WRAPPERS = Set.of(
            "$oid",
            "$date",
            "$binary",
            "$timestamp",
            "$regularExpression",
            "$numberInt",
            "$numberLong",
            "$numberDouble",
            "$numberDecimal",
            "$symbol",
            "$dbPointer",
            "$undefined",
            "$minKey",
            "$maxKey",
            "$code");

    private final String text;
    private @Nullable Map<String, JsonValue> fields;
    private @Nullable List<JsonValue> items;

    private JsonValue(String text) {
        this.text = text;
    }

    /** A value from valid JSON without white space around it. */
    static JsonValue of(String json) {
        return new JsonValue(json);
    }

    static JsonValue nothing() {
        return new JsonValue("null");
    }

    static JsonValue emptyObject() {
        return new JsonValue("{}");
    }

    /** Whether it is an object, be it a document or a scalar. */
    boolean isObject() {
        return text.startsWith("{");
    }

    /** Whether it is a document, and not a scalar that Extended JSON writes as an object. */
    boolean isDocument() {
        return isObject() && !isWrapper();
    }

    boolean isArray() {
        return text.startsWith("[");
    }

    /** Whether Extended JSON would write a scalar in this way. A document with just such a field is taken for one. */
    private boolean isWrapper() {
        if (text.indexOf('$') < 0 || text.equals("{}")) {
            return false;
        }
        Map<String, JsonValue> map = fields();
        boolean scope = map.size() == 2 && map.containsKey("$code") && map.containsKey("$scope");
        return scope
                || (map.size() == 1 && WRAPPERS.contains(map.keySet().iterator().next()));
    }

    /** The fields of an object, which may be changed. */
    Map<String, JsonValue> fields() {
        Map<String, JsonValue> parsed = fields;
        if (parsed == null) {
            parsed = new LinkedHashMap<>();
            int at = JsonText.skipSpace(text, 1);
            while (text.charAt(at) != '}') {
                int keyEnd = JsonText.end(text, at);
                String key = JsonText.string(text, at, keyEnd);
                int colon = JsonText.skipSpace(text, keyEnd);
                at = element(JsonText.skipSpace(text, colon + 1), key, parsed, null);
            }
            fields = parsed;
        }
        return parsed;
    }

    /** The elements of an array, which may be changed. */
    List<JsonValue> items() {
        List<JsonValue> parsed = items;
        if (parsed == null) {
            parsed = new ArrayList<>();
            int at = JsonText.skipSpace(text, 1);
            while (text.charAt(at) != ']') {
                at = element(at, "", null, parsed);
            }
            items = parsed;
        }
        return parsed;
    }

    /** Takes the value at this index; returns the index of the next element, or of the end. */
    private int element(int from, String key, @Nullable Map<String, JsonValue> map, @Nullable List<JsonValue> list) {
        int end = JsonText.end(text, from);
        JsonValue value = new JsonValue(text.substring(from, end));
        if (map != null) {
            map.put(key, value);
        } else if (list != null) {
            list.add(value);
        }
        int next = JsonText.skipSpace(text, end);
        return text.charAt(next) == ',' ? JsonText.skipSpace(text, next + 1) : next;
    }

    /** Appends the value with its changes. */
    void write(StringBuilder out) {
        if (fields != null) {
            char before = '{';
            for (Map.Entry<String, JsonValue> each : fields.entrySet()) {
                out.append(before);
                JsonText.quote(each.getKey(), out);
                out.append(':');
                each.getValue().write(out);
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (items != null) {
            out.append('[');
            for (int i = 0; i < items.size(); i++) {
                out.append(i == 0 ? "" : ",");
                items.get(i).write(out);
            }
            out.append(']');
        } else {
            out.append(text);
        }
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        write(out);
        return out.toString();
    }

    /** Finds the parts of valid JSON, and writes strings. */
    static final class JsonText {
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
}
