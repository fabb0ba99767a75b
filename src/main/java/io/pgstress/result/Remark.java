package io.pgstress.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Something that readers of a result should know: a code, the figures, and the sentences made of them. Programs read the code and the
 * figures; the sentences are for people and may change. Two remarks are equal if they have the same code and text. Immutable.
 *
 * @param figures by name, as the code lists them; numbers and texts
 * @param text the cause, in a sentence without a period at its end
 * @param advice the consequence and what to do, in sentences; empty if both are obvious
 */
public record Remark(
        RemarkCode code, RemarkCode.Severity severity, Map<String, Object> figures, String text, String advice) {
    public Remark {
        Objects.requireNonNull(code, "code");
        figures = figures == null ? Map.of() : figures;
        advice = Objects.requireNonNullElse(advice, ""); // a result of an earlier version
    }

    /**
     * A remark of this code.
     *
     * @param values the figures, in the order of the code's names
     */
    public static Remark of(RemarkCode code, Object... values) {
        List<String> names = code.figures();
        if (names.size() != values.length) {
            throw new IllegalArgumentException(code + " has the figures " + names + ", not " + Arrays.toString(values));
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        for (int n = 0; n < values.length; n++) {
            figures.put(names.get(n), values[n]);
        }
        return new Remark(code, code.severity(), figures, code.text(figures), code.advice(figures));
    }

    /**
     * A remark of this code.
     *
     * @param figures by name; those that the code does not have are left out
     */
    public static Remark of(RemarkCode code, Map<String, ?> figures) {
        return of(
                code,
                code.figures().stream()
                        .map(name -> Objects.requireNonNull(figures.get(name), name))
                        .toArray());
    }

    /** The remark about a part of the run, such as {@code host a}. */
    public Remark about(String part) {
        return new Remark(code, severity, with("about", part), part + ": " + text, advice);
    }

    /**
     * A remark that some of several measurements have; this one, if all have it.
     *
     * @param unit what was measured, such as {@code blocks}
     */
    public Remark repeated(int count, int of, String unit) {
        return count == of
                ? this
                : new Remark(
                        code,
                        severity,
                        with("count", count),
                        "In " + count + " of " + of + " " + unit + ", for example: " + text,
                        advice);
    }

    /** A remark with another value of one figure. */
    public Remark withFigure(String name, Object value) {
        return of(code, with(name, value));
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
