package io.pgstress.extra.suggest;

import io.pgstress.extra.BsonValues;
import io.pgstress.text.Json;
import io.pgstress.text.Quoting;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a command on one line for comments, with a question mark in place of each value. */
final class Redaction {
    private static final int MAX_LENGTH = 240;

    /** The parts of commands that belong to the query. */
    private static final Set<String> PARTS = Set.of(
            "filter",
            "query",
            "q",
            "u",
            "update",
            "updates",
            "deletes",
            "pipeline",
            "sort",
            "projection",
            "key",
            "multi");

    private Redaction() {}

    /** The name and the query parts of a command. */
    public static String of(Map<String, Object> command) {
        return line(command, Redaction::value);
    }

    /** The name and the query parts of a command, with its values as Extended JSON. */
    public static String withValues(Map<String, Object> command) {
        return line(command, Json::writeLine);
    }

    private static String line(Map<String, Object> command, Function<Object, String> text) {
        String name = BsonValues.first(command);
        String parts = command.entrySet().stream()
                .filter(e -> PARTS.contains(e.getKey()))
                .filter(e -> e.getValue() instanceof Map<?, ?> || e.getValue() instanceof List<?>)
                .map(e -> e.getKey() + ": " + text.apply(e.getValue()))
                .collect(Collectors.joining(", "));
        return clean((PARTS.contains(name) ? "" : name + " ") + parts);
    }

    /** A text on one line, as a comment in YAML allows it. */
    public static String clean(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints().limit(MAX_LENGTH).forEach(c -> line.appendCodePoint(Quoting.isPrintable(c) ? c : ' '));
        return line.toString().strip() + (text.codePointCount(0, text.length()) > MAX_LENGTH ? "..." : "");
    }

    private static String value(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return "["
                    + (list.stream()
                                    .allMatch(i -> i instanceof Map<?, ?> m
                                            && BsonValues.kind(m).equals("object"))
                            ? list.stream().map(Redaction::value).collect(Collectors.joining(", "))
                            : list.isEmpty() ? "" : "?, ...")
                    + "]";
        }
        if (value instanceof Map<?, ?> && BsonValues.kind(value).equals("object")) {
            return BsonValues.map(value).entrySet().stream()
                    .map(e -> e.getKey() + ": " + value(e.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return "?";
    }
}
