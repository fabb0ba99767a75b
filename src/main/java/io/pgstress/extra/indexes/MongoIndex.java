package io.pgstress.extra.indexes;

import io.pgstress.extra.BsonValues;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An index as the metadata of a dump describe it.
 *
 * @param parts its key, in order
 * @param expireAfterSeconds null unless MongoDB deletes documents by this index
 * @param ignoredExpiry why MongoDB ignores its {@code expireAfterSeconds}; empty if it does not, or there is none
 * @param filter the partial filter expression; empty if it has none
 * @param collation empty if strings are compared byte by byte
 * @param textFields the fields of a text index, in order
 */
public record MongoIndex(
        String name,
        List<Part> parts,
        boolean unique,
        boolean sparse,
        boolean hidden,
        @Nullable Long expireAfterSeconds,
        String ignoredExpiry,
        Map<String, Object> filter,
        Map<String, Object> collation,
        List<String> textFields) {

    private static final String ASCENDING = "1";
    public static final String DESCENDING = "-1";
    public static final String HASHED = "hashed";
    private static final String TEXT = "text";
    private static final String WILDCARD = "$**";

    /**
     * A part of a key.
     *
     * @param kind {@code 1}, {@code -1}, or a name such as {@code hashed}, {@code text} and {@code 2dsphere}
     */
    public record Part(String path, String kind) {
        /** Whether it is in ascending or descending order. */
        public boolean isOrdered() {
            return kind.equals(ASCENDING) || kind.equals(DESCENDING);
        }

        public boolean isWildcard() {
            return path.equals(WILDCARD) || path.endsWith("." + WILDCARD);
        }
    }

    /**
     * The indexes that metadata describe, besides that on {@code _id}.
     *
     * @param metadata the text of a {@code .metadata.json}; empty if there is none
     * @throws TextException if it is not JSON
     */
    public static List<MongoIndex> all(String metadata) {
        Object all = metadata.isBlank() ? null : Json.readMap(metadata).get("indexes");
        return BsonValues.list(all).stream()
                .map(each -> of(BsonValues.map(each)))
                .filter(index -> !index.isDefault())
                .toList();
    }

    /**
     * Whether metadata list the indexes, if only that on {@code _id}, or none.
     *
     * @throws TextException if they are not JSON
     */
    static boolean areDescribed(String metadata) {
        return !metadata.isBlank() && Json.readMap(metadata).get("indexes") instanceof List<?>;
    }

    /** Reads a description; missing or odd parts of it count as absent. */
    private static MongoIndex of(Map<String, Object> spec) {
        List<Part> parts = new ArrayList<>();
        BsonValues.map(spec.get("key")).forEach((path, how) -> parts.add(new Part(path, kind(how))));
        Object expiry = spec.get("expireAfterSeconds");
        String ignored = expiry == null ? "" : ignoredExpiry(parts, expiry);
        Double seconds = ignored.isEmpty() ? BsonValues.number(expiry) : null;
        Map<String, Object> collation = BsonValues.map(spec.get("collation"));
        String name = BsonValues.text(spec.get("name"));
        return new MongoIndex(
                name.isEmpty() && parts.isEmpty()
                        ? "unnamed"
                        : name.isEmpty()
                                ? parts.stream()
                                        .map(part -> part.path() + "_" + part.kind())
                                        .collect(Collectors.joining("_"))
                                : name,
                parts,
                BsonValues.isTrue(spec.get("unique")),
                BsonValues.isTrue(spec.get("sparse")),
                BsonValues.isTrue(spec.get("hidden")),
                seconds == null ? null : Long.valueOf(seconds.longValue()),
                ignored,
                BsonValues.map(spec.get("partialFilterExpression")),
                "simple".equals(collation.get("locale")) ? Map.of() : collation,
                List.copyOf(BsonValues.map(spec.get("weights")).keySet()));
    }

    /** Why MongoDB deletes nothing by an index with this key and {@code expireAfterSeconds}; empty if it does. */
    private static String ignoredExpiry(List<Part> parts, Object expiry) {
        Double seconds = BsonValues.number(expiry);
        if (parts.size() != 1) {
            return "only an index of one field makes documents expire";
        }
        if (parts.get(0).path().equals("_id")) {
            return "documents do not expire by _id";
        }
        if (!parts.get(0).isOrdered() || parts.get(0).isWildcard()) {
            return "only an ascending or descending index makes documents expire";
        }
        return seconds != null && seconds >= 0 && seconds <= Integer.MAX_VALUE
                ? ""
                : "it is not a number from 0 to " + Integer.MAX_VALUE;
    }

    private static String kind(@Nullable Object how) {
        String name = BsonValues.text(how);
        return !name.isEmpty() ? name : BsonValues.isNegative(how) ? DESCENDING : ASCENDING;
    }

    /** Why nothing is created for it, whatever the documents are; empty if something may be. */
    Optional<String> unserved() {
        if (parts.isEmpty()) {
            return Optional.of("its metadata have no valid key");
        }
        if (isOnKey()) {
            return Optional.of("the primary key serves it");
        }
        if (toString().indexOf('\0') >= 0) { // neither in the name of a field nor in a string of jsonb
            return Optional.of("its metadata contain U+0000");
        }
        for (Part part : parts) {
            if (part.isWildcard() && part.isOrdered()) {
                return Optional.of(
                        "wildcard indexes are not created; GIN (jsonb_path_ops) on data serves equality of any field");
            }
            if (!part.isOrdered() && !part.kind().equals(HASHED)) {
                return Optional.of(
                        switch (part.kind()) {
                            case TEXT ->
                                "text indexes are not created; GIN on to_tsvector of the fields serves such searches";
                            case "2d", "2dsphere" ->
                                "geospatial indexes are not created; GiST on points, or PostGIS, serves such searches";
                            default -> "its type, " + part.kind() + ", has no counterpart";
                        });
            }
        }
        return hidden && !unique ? Optional.of("hidden: MongoDB's planner does not use it") : Optional.empty();
    }

    /** Whether it is the index on {@code _id} alone, in any form: here it is the primary key. */
    boolean isOnKey() {
        return parts.size() == 1
                && parts.get(0).path().equals("_id")
                && (parts.get(0).isOrdered() || parts.get(0).kind().equals(HASHED));
    }

    /** Whether every collection has it. */
    private boolean isDefault() {
        return isOnKey() && parts.get(0).isOrdered();
    }

    /** Its key as MongoDB's shell shows it, with the properties that matter. */
    String describe() {
        boolean isText =
                parts.size() == 2 && parts.stream().anyMatch(part -> part.kind().equals(TEXT));
        List<Part> shown =
                isText ? textFields.stream().map(path -> new Part(path, TEXT)).toList() : parts;
        List<String> words = new ArrayList<>();
        words.add(shown.stream()
                .map(part -> part.path() + ": " + (part.isOrdered() ? part.kind() : '"' + part.kind() + '"'))
                .collect(Collectors.joining(", ", "{", "}")));
        add(words, unique, "unique");
        add(words, sparse, "sparse");
        add(words, !filter.isEmpty(), "partial");
        add(words, expireAfterSeconds != null, "expires after " + expireAfterSeconds + " s");
        add(words, !collation.isEmpty(), "collation " + collation.get("locale"));
        add(words, hidden, "hidden");
        return String.join(", ", words);
    }

    private static void add(List<String> words, boolean is, String word) {
        if (is) {
            words.add(word);
        }
    }
}
