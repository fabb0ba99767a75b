package io.pgstress.text;

import io.pgstress.text.Tree.Entry;
import io.pgstress.text.Tree.Mapping;
import io.pgstress.text.Tree.Place;
import io.pgstress.text.Tree.Scalar;
import io.pgstress.text.Tree.Sequence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads YAML as a {@link Tree}. Values keep their text, so the caller interprets {@code on}, {@code 1_000} and {@code 2%}. A
 * file has one document, no aliases and no duplicate names in a mapping. Thread-safe.
 */
public final class Yaml {
    private static final YAMLFactory FACTORY = new YAMLFactory(); // a mapper would load data binding

    private Yaml() {}

    /**
     * Reads a document.
     *
     * @throws TextException if it is not valid YAML; the message begins with the line
     */
    public static Tree read(String yaml) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), yaml)) {
            if (parser.nextToken() == null) {
                throw new TextException("is empty");
            }
            Tree tree = node(parser);
            if (parser.nextToken() != null) {
                throw failure(place(parser.currentTokenLocation()), "a file may contain only one document");
            }
            return tree;
        } catch (JacksonException e) {
            throw TextException.of(e);
        }
    }

    private static Tree node(JsonParser parser) {
        Place place = place(parser.currentTokenLocation());
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            throw failure(place, "aliases (*name) are not supported");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(parser, place);
            case START_ARRAY -> sequence(parser, place);
            case VALUE_NULL -> new Scalar("", place);
            default -> new Scalar(parser.getString(), place);
        };
    }

    private static Tree sequence(JsonParser parser, Place place) {
        List<Tree> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(parser));
        }
        return new Sequence(items, place);
    }

    private static Tree mapping(JsonParser parser, Place place) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            Place at = place(parser.currentTokenLocation());
            parser.nextToken();
            if (entries.put(name, new Entry(at, node(parser))) != null) {
                throw failure(at, "'" + name + "' appears twice");
            }
        }
        return new Mapping(Collections.unmodifiableMap(entries), place);
    }

    private static Place place(TokenStreamLocation location) {
        return new Place(location.getLineNr(), location.getColumnNr());
    }

    private static TextException failure(Place place, String what) {
        return new TextException(place.line(), place.column(), what, null);
    }
}
