package io.pgstress.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.json.JsonFactory;

/** Reads JSON as maps and lists. Of two entries of the same name, the last one counts. */
final class JsonMaps {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonMaps() {}

    /** @param number reads the number at which the parser is */
    static Map<String, Object> read(String json, Function<JsonParser, Number> number) {
        try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            JsonToken first = in.nextToken();
            if (first != JsonToken.START_OBJECT) {
                throw new TextException("is " + (first == null ? "empty" : words(first)) + ", not a JSON object");
            }
            Map<String, Object> map = new LinkedHashMap<>();
            fill(map, in, number);
            if (in.nextToken() != null) {
                throw new TextException("has more than one JSON value");
            }
            return map;
        } catch (JacksonException e) {
            throw TextException.of(e);
        }
    }

    static Map<String, Object> readBeginning(String json) {
        Map<String, Object> map = new LinkedHashMap<>();
        try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (in.nextToken() == JsonToken.START_OBJECT) {
                fill(map, in, JsonParser::getNumberValue);
            }
        } catch (JacksonException e) {
            return map; // of what precedes the fault
        }
        return map;
    }

    private static String words(JsonToken token) {
        return switch (token) {
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            default -> String.valueOf(token.asString());
        };
    }

    // values may be null; Map<String, @Nullable Object> would require checks of all callers, which are about JSON
    // without null
    @SuppressWarnings("NullAway")
    private static void fill(Map<String, Object> map, JsonParser in, Function<JsonParser, Number> number) {
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            if (in.nextToken() == JsonToken.START_OBJECT) {
                Map<String, Object> inner = new LinkedHashMap<>();
                map.put(name, inner);
                fill(inner, in, number);
            } else {
                map.put(name, value(in, number));
            }
        }
    }

    private static @Nullable Object value(JsonParser in, Function<JsonParser, Number> number) {
        return switch (in.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> map = new LinkedHashMap<>();
                fill(map, in, number);
                yield map;
            }
            case START_ARRAY -> {
                List<@Nullable Object> items = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(in, number));
                }
                yield items;
            }
            case VALUE_STRING -> in.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number.apply(in);
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    /** Appends maps, lists, strings, numbers, booleans and null as JSON, with a space after each comma and colon. */
    static void write(@Nullable Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> each : map.entrySet()) {
                write(each.getKey(), out.append(before));
                write(each.getValue(), out.append(": "));
                before = ", ";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String before = "[";
            for (Object each : list) {
                write(each, out.append(before));
                before = ", ";
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            JsonStringEncoder.getInstance().quoteAsString(text, out.append('"'));
            out.append('"');
        } else {
            out.append(value);
        }
    }
}
