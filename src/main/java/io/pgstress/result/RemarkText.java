package io.pgstress.result;

import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A sentence of a remark with its figures in braces, those that are numbers with the conversion of {@link String#format}: {@code
 * {percent:.1f}% of {operation} operations}. A part in double brackets is left out if a figure in it is not given: {@code [[ on {node}]]}. Immutable.
 *
 * @param template Markdown
 */
public record RemarkText(String template) {
    private static final Pattern FIGURE = Pattern.compile("\\{(\\w+)(?::([^}]+))?}");

    /** A figure that may be counting what follows it: {@code {rows:,d} rows}, {@code {rows:,d} deleted rows}. */
    private static final Pattern COUNT = Pattern.compile(FIGURE + "(?:(?<=[df]})((?: [a-z]+ed)? [A-Za-z]{2,})s\\b)?");

    private static final Pattern OPTIONAL = Pattern.compile("\\[\\[(.*?)]]");

    /** A link to a page of the documentation. */
    private static final Pattern LINK = Pattern.compile("\\[([^]\\[]+)]\\(([^#)]+)(?:#[^)]*)?\\)");

    /**
     * A figure of a text.
     *
     * @param conversion that of {@link String#format} for a number; empty: a text
     * @param isOptional whether it may be left out, with the words around it
     */
    public record Figure(String name, String conversion, boolean isOptional) {
        /** Whether this is a value for it: a number of the conversion's kind, a range of such numbers, or several by name. */
        boolean accepts(Object value) {
            if (value instanceof Map<?, ?> several) {
                return !conversion.isEmpty() && several.values().stream().allMatch(this::accepts);
            }
            if (conversion.isEmpty()) {
                return true;
            }
            return isWhole() ? value instanceof Long || value instanceof Integer : value instanceof Number;
        }

        /** Whether it is a whole number. */
        public boolean isWhole() {
            return conversion.endsWith("d");
        }

        /** The figure of two texts: only optional if both can do without it. */
        Figure and(Figure other) {
            return isOptional ? other : this;
        }
    }

    /** The figures in the order of the text, each as often as it stands there. */
    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        Matcher optional = OPTIONAL.matcher(template);
        List<MatchResult> parts = optional.results().toList();
        FIGURE.matcher(template)
                .results()
                .forEach(figure -> figures.add(new Figure(
                        figure.group(1),
                        Objects.requireNonNullElse(figure.group(2), ""),
                        parts.stream().anyMatch(part -> part.start() < figure.start() && figure.end() < part.end()))));
        return figures;
    }

    /**
     * The sentence with these figures; a {@link Remark#or range} is shown as {@code 1.2 to 3.4}, numbers by name as {@code server 67%,
     * client 31%}. What a number of 1 counts is in the singular.
     */
    String with(Map<String, ?> figures) {
        String complete = OPTIONAL.matcher(template)
                .replaceAll(part -> Matcher.quoteReplacement(hasAll(part.group(1), figures) ? part.group(1) : ""));
        return COUNT.matcher(complete).replaceAll(count -> {
            String figure = filled(
                    "%" + Objects.requireNonNullElse(count.group(2), "s"),
                    Objects.requireNonNull(figures.get(count.group(1)), count.group(1)));
            String noun = count.group(3);
            return Matcher.quoteReplacement(noun == null ? figure : figure + noun + (figure.equals("1") ? "" : "s"));
        });
    }

    /** The sentence with these figures as plain text, with the file of a page in parentheses after each link. */
    String plain(Map<String, ?> figures) {
        return new RemarkText(LINK.matcher(template.replace("`", "")).replaceAll("$1 (docs/$2)")).with(figures);
    }

    private static boolean hasAll(String part, Map<String, ?> figures) {
        return FIGURE.matcher(part).results().allMatch(figure -> figures.containsKey(figure.group(1)));
    }

    private static String filled(String conversion, Object figure) {
        if (figure instanceof Map<?, ?> range && range.containsKey(Remark.MIN)) {
            String min = filled(conversion, Objects.requireNonNull(range.get(Remark.MIN)));
            String max = filled(conversion, Objects.requireNonNull(range.get(Remark.MAX)));
            return min.equals(max) ? min : min + " to " + max;
        }
        if (figure instanceof Map<?, ?> byName) {
            return byName.entrySet().stream()
                    .map(named -> named.getKey() + " " + filled(conversion, Objects.requireNonNull(named.getValue())))
                    .collect(Collectors.joining(", "));
        }
        return Rounded.format(conversion, figure);
    }
}
