package io.pgstress.text;

import java.util.List;
import java.util.Map;

/** A YAML document with every value as text and every node with its position in the file. Immutable. */
public sealed interface Tree {
    /** The position of its first character. */
    Place place();

    /** Its name in messages: {@code a value}, {@code a list} or {@code a mapping}. */
    String kind();

    /** A position in a file; line and column count from 1. */
    record Place(int line, int column) {}

    /**
     * A single value.
     *
     * @param text the value as written, without quotes; empty if missing
     */
    record Scalar(String text, Place place) implements Tree {
        @Override
        public String kind() {
            return "a value";
        }
    }

    /** A list of values. */
    record Sequence(List<Tree> items, Place place) implements Tree {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String kind() {
            return "a list";
        }
    }

    /**
     * Values by name.
     *
     * @param entries in the order of the file
     */
    record Mapping(Map<String, Entry> entries, Place place) implements Tree {
        @Override
        public String kind() {
            return "a mapping";
        }
    }

    /** A value of a mapping and the position of its name. */
    record Entry(Place place, Tree value) {}
}
