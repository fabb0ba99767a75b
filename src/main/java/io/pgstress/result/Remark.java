package io.pgstress.result;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Something that readers of a result should know: a code, the figures, and the sentences made of them. Programs read the code and the
 * figures; the sentences are for people and may change. Two remarks are equal if they have the same code and text. Immutable.
 *
 * @param figures by name, as the code lists them; numbers and texts; ranges, which are maps of {@value #MIN} and {@value #MAX}, in
 *     remarks on several measurements or machines; and numbers by name
 * @param text the cause, in a sentence without a period at its end
 * @param advice the consequence and what to do, in sentences; empty if both are obvious
 */
public record Remark(
        RemarkCode code, RemarkCode.Severity severity, Map<String, Object> figures, String text, String advice) {
    static final String MIN = "min";
    static final String MAX = "max";

    /** The part of the run that a remark is about, such as {@code host a}; not set if it is about the whole. */
    public static final String ABOUT = "about";

    /** Figures that are places in the time of one measurement, so that those of several have no range. */
    private static final Set<String> PLACES = Set.of("fromSeconds", "toSeconds", "atSeconds");

    /** Set in a remark on several measurements that says what only one of them had. */
    private static final String EXAMPLE = "example";

    /** The number of measurements that have a remark; set if not all have it. */
    private static final String COUNT = "count";

    /** The first word of a cause that does not begin with a name or a figure. */
    private static final Pattern FIRST_WORD = Pattern.compile("[A-Z][a-z]* ");

    public Remark {
        Objects.requireNonNull(code, "code");
        figures = figures == null ? Map.of() : figures;
        advice = Objects.requireNonNullElse(advice, ""); // a result of an earlier version
    }

    /** The codes of remarks, each once, as a list in words. */
    public static String codes(Collection<Remark> remarks) {
        return remarks.stream().map(remark -> remark.code().name()).distinct().collect(Collectors.joining(", "));
    }

    /** A remark in the making: a code with the figures given so far. Single use. */
    public static final class Builder {
        private final RemarkCode code;
        private final Map<String, RemarkText.Figure> all;
        private final Map<String, Object> figures = new LinkedHashMap<>();

        Builder(RemarkCode code) {
            this.code = code;
            this.all = code.figures();
        }

        /**
         * Gives a figure.
         *
         * @param value null only for a figure that the text can do without: it is then left out, with the words around it
         * @throws IllegalArgumentException if the texts of the code do not have this figure, if it was given before, or if the value is
         *     of another kind than its text expects
         */
        public Builder with(String figure, @Nullable Object value) {
            RemarkText.Figure known = all.get(figure);
            if (known == null) {
                throw new IllegalArgumentException(code + " has no figure " + figure);
            }
            if (value == null ? !known.isOptional() : !known.accepts(value)) {
                throw new IllegalArgumentException(code + ": " + value + " is no value of " + known);
            }
            if (value != null && figures.put(figure, value) != null) {
                throw new IllegalArgumentException(code + " has its figure " + figure + " twice");
            }
            return this;
        }

        /**
         * The remark.
         *
         * @throws IllegalStateException if a figure is missing that the texts of the code need
         */
        public Remark remark() {
            all.forEach((name, figure) -> {
                if (!figure.isOptional() && !figures.containsKey(name)) {
                    throw new IllegalStateException(code + " lacks its figure " + name);
                }
            });
            return new Remark(code, code.severity(), figures, code.text(figures), code.advice(figures));
        }
    }

    /** The remark on a reason that was to be no more than a warning. */
    public Remark asWarning() {
        return new Remark(code, RemarkCode.Severity.WARNING, figures, text, advice);
    }

    /** The remark on a reason that the user has accepted. */
    public Remark accepted() {
        return new Remark(
                code,
                RemarkCode.Severity.WARNING,
                figures,
                text,
                (advice + " `--accept` made this a warning.").strip());
    }

    /** The remark about a part of the run, such as {@code host a}. */
    public Remark about(String part) {
        return new Remark(code, severity, with(ABOUT, part), part + ": " + clause(), advice);
    }

    /**
     * The remark on several measurements that have remarks of this code. Numbers that differ become ranges. If anything else differs,
     * such as a name or a time within the measurement, this remark stands as an example.
     */
    public Remark or(Remark other) {
        if (equals(other) || figures.containsKey(EXAMPLE)) {
            return this;
        }
        Map<String, Object> both = new LinkedHashMap<>();
        for (String name : code.figures().keySet()) {
            Object own = figures.get(name);
            Object others = other.figures.get(name);
            if (own == null && others == null) {
                continue; // a figure that the text can do without
            }
            if (own != null && own.equals(others)) {
                both.put(name, own);
            } else if (own == null || others == null || PLACES.contains(name) || isText(own) || isText(others)) {
                return example();
            } else {
                both.put(name, range(own, others));
            }
        }
        return both.keySet().equals(figures.keySet())
                ? new Remark(code, severity, both, code.text(both), code.advice(both))
                : example();
    }

    private Remark example() {
        return new Remark(code, severity, with(EXAMPLE, true), text, advice);
    }

    private static boolean isText(Object figure) {
        return !(figure instanceof Number) && !(figure instanceof Map<?, ?> range && range.containsKey(MIN));
    }

    /** The figure for several numbers: the number itself if all are equal, and a range otherwise. */
    static Object range(List<Double> numbers) {
        Object figure = numbers.get(0);
        for (Object other : numbers) {
            figure = figure.equals(other) ? figure : range(figure, other);
        }
        return figure;
    }

    /** The range from the least to the most of two figures, each a number or a range. */
    private static Map<String, Object> range(Object one, Object other) {
        Object min = end(one, MIN);
        Object otherMin = end(other, MIN);
        Object max = end(one, MAX);
        Object otherMax = end(other, MAX);
        return Map.of(MIN, isLess(otherMin, min) ? otherMin : min, MAX, isLess(max, otherMax) ? otherMax : max);
    }

    private static Object end(Object figure, String which) {
        return figure instanceof Map<?, ?> range ? Objects.requireNonNull(range.get(which)) : figure;
    }

    private static boolean isLess(Object one, Object other) {
        return ((Number) one).doubleValue() < ((Number) other).doubleValue();
    }

    /**
     * A remark that some of several measurements have; this one, if all have it and it is not an example.
     *
     * @param unit what was measured, such as {@code blocks}
     */
    public Remark repeated(int count, int of, String unit) {
        boolean isExample = of > 1 && figures.containsKey(EXAMPLE);
        return count == of && !isExample
                ? this
                : new Remark(
                        code,
                        severity,
                        with(COUNT, count),
                        "In " + (count == of ? "all " + of : count + " of " + of) + " " + unit
                                + (isExample ? ", for example, " : ", ") + clause(),
                        advice);
    }

    /** A remark with another value of one of its figures. */
    public Remark withFigure(String name, Object value) {
        Builder copy = new Builder(code);
        with(name, value).forEach(copy::with);
        return copy.remark();
    }

    private Map<String, Object> with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(figures);
        more.put(name, value);
        return more;
    }

    /** The remarks without repetitions. */
    public static List<Remark> distinct(Collection<Remark> remarks) {
        return remarks.stream().distinct().toList();
    }

    /** The cause, the consequence and what to do, as whole sentences. */
    public String sentences() {
        return text + (advice.isEmpty() ? "." : ". " + advice);
    }

    /** The cause as a part of a sentence: without a capital at its start, unless it begins with a name. */
    public String clause() {
        boolean isWord = figures.containsKey(COUNT)
                || FIRST_WORD.matcher(code.cause().template()).lookingAt();
        return isWord ? text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1) : text;
    }

    /** The causes. */
    public static List<String> texts(Collection<Remark> remarks) {
        return new ArrayList<>(remarks.stream().map(Remark::text).toList());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Remark remark && remark.code == code && remark.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The cause. */
    @Override
    public String toString() {
        return text;
    }
}
