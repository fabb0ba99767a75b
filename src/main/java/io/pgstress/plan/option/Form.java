package io.pgstress.plan.option;

import java.util.List;

/** How the text of a value is read. */
@FunctionalInterface
public interface Form<T> {
    /**
     * The value of the text, which has no spaces around it.
     *
     * @throws IllegalArgumentException whose message follows the option's name: {@code must be at least 1, was 0}
     */
    T read(String text);

    /** The words that it accepts, if these are few; otherwise an empty list. */
    default List<String> words() {
        return List.of();
    }

    /** A form that accepts only these words, which {@code reader} reads. */
    static <T> Form<T> ofWords(List<String> words, Form<T> reader) {
        return new Form<>() {
            @Override
            public T read(String text) {
                return reader.read(text);
            }

            @Override
            public List<String> words() {
                return words;
            }
        };
    }
}
