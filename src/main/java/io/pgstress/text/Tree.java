package io.pgstress.text;

import java.util.List;
import java.util.Map;

/** A YAML document as it stands in its file, every value as text, every node with its place. Immutable. */
public sealed interface Tree {
    /** Where it begins. */
    Place place();

    /** What it is called in messages: {@code a value}, {@code a list} or {@code a mapping}. */
    String kind();

    /** A place in a file, both counted from 1. */
    record Place(int line, int column) {}

    /**
     * A single value.
     *
     * @param text as it is written, without quotes; empty where nothing is written
     */
    record Scalar(String text, Place place) implements Tree {
        @Override
        public String kind() {
            return "a value";
        }
    }

    /** Several values, one after the other. */
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

    /** A value of a mapping and the place of its name. */
    record Entry(Place place, Tree value) {}
}
