package io.pgstress.extra.suggest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The conditions of a query without their values. Two filters that differ in the order of conditions are equal. */
sealed interface Filter {
    /** Matches everything. */
    static Filter everything() {
        return new All(List.of());
    }

    /** A condition on the field at a path, {@code a.b}; an empty path is an element of an array itself. */
    record Field(String path, Condition condition) implements Filter {}

    /** All of these. */
    record All(List<Filter> filters) implements Filter {
        public All {
            filters = List.copyOf(filters);
        }
    }

    /** At least one of these. */
    record Any(List<Filter> filters) implements Filter {
        public Any {
            filters = List.copyOf(filters);
        }
    }

    /** Not this. */
    record Not(Filter filter) implements Filter {}

    /** An array with an element that matches; paths are relative to the element. */
    record Element(String path, Filter filter) implements Filter {}

    /** All of these as one level, in a fixed order and each once. */
    static All all(List<Filter> filters) {
        List<Filter> flat = new ArrayList<>();
        for (Filter filter : filters) {
            if (filter instanceof All all) {
                flat.addAll(all.filters());
            } else {
                flat.add(filter);
            }
        }
        return new All(ordered(flat));
    }

    /** One of these, in a fixed order and each once. */
    static Filter any(List<Filter> filters) {
        List<Filter> once = ordered(filters);
        return once.size() == 1 ? once.get(0) : new Any(once);
    }

    private static List<Filter> ordered(List<Filter> filters) {
        return filters.stream()
                .distinct()
                .sorted(Comparator.comparing(Object::toString))
                .toList();
    }

    /** The conditions that every document must meet. */
    default List<Filter> required() {
        return this instanceof All all ? all.filters() : List.of(this);
    }

    /** Whether each document must have one of the values given for this path. */
    default boolean pins(String path) {
        return required().stream()
                .anyMatch(f -> f instanceof Field field
                        && field.path().equals(path)
                        && (field.condition() == Condition.Plain.EQUAL
                                || (field.condition() instanceof Condition.In in && !in.negated())));
    }

    /** The paths that it names, for a person; each once. */
    default Set<String> paths() {
        Set<String> paths = new LinkedHashSet<>();
        if (this instanceof Field field) {
            paths.add(field.path());
        } else if (this instanceof All all) {
            all.filters().forEach(f -> paths.addAll(f.paths()));
        } else if (this instanceof Any any) {
            any.filters().forEach(f -> paths.addAll(f.paths()));
        } else if (this instanceof Not not) {
            paths.addAll(not.filter().paths());
        } else if (this instanceof Element element) {
            paths.add(element.path());
        }
        return paths;
    }

    /** The paths of its ranges outside arrays; each once. */
    default Set<String> ranges() {
        Set<String> paths = new LinkedHashSet<>();
        if (this instanceof Field field) {
            if (field.condition() instanceof Condition.Range) {
                paths.add(field.path());
            }
        } else if (this instanceof All all) {
            all.filters().forEach(f -> paths.addAll(f.ranges()));
        } else if (this instanceof Any any) {
            any.filters().forEach(f -> paths.addAll(f.ranges()));
        } else if (this instanceof Not not) {
            paths.addAll(not.filter().ranges());
        }
        return paths;
    }

    /** What a filter requires of one field. */
    public sealed interface Condition {
        /** Conditions without details. */
        enum Plain implements Condition {
            EQUAL,
            NOT_EQUAL,
            /** Null or missing. */
            NULL,
            /** Neither null nor missing. */
            NOT_NULL,
            PRESENT,
            ABSENT,
            /** An array of a certain number of elements. */
            LENGTH
        }

        /**
         * A range.
         *
         * @param from whether it has a lower bound
         * @param to whether it has an upper bound
         */
        record Range(boolean from, boolean to) implements Condition {}

        /**
         * One of several values.
         *
         * @param count number of values, rounded up to a power of two
         * @param negated none of the values
         */
        record In(int count, boolean negated) implements Condition {}

        /** An array with all of these values. */
        record Contains(int count) implements Condition {}

        /**
         * A string that a regular expression without special characters matches.
         *
         * @param anyCase whether upper and lower case are the same
         * @param length characters of the expression, rounded up to a power of two
         */
        record Text(Part part, boolean anyCase, int length) implements Condition {}

        /** The part of the string that the expression describes. */
        enum Part {
            BEGINNING,
            ANYWHERE,
            WHOLE
        }

        /** The greatest size that shapes distinguish. */
        int MAX_SIZE = 1 << 20;

        /** Sizes that differ little are one shape: the next power of two, from 1 to {@link #MAX_SIZE}. */
        static int rounded(int size) {
            int power = 1;
            while (power < size && power < MAX_SIZE) {
                power *= 2;
            }
            return power;
        }
    }
}
