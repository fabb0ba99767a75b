package io.pgstress.plan.option;

/** How the text of a value is read. */
@FunctionalInterface
public interface Form<T> {
    /**
     * The value of the text, which has no spaces around it.
     *
     * @throws IllegalArgumentException whose message follows the option's name: {@code must be at least 1, was 0}
     */
    T read(String text);
}
