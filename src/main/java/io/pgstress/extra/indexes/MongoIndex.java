package io.pgstress.extra.indexes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An index as the metadata of a dump describe it.
 *
 * @param parts its key, in order
 * @param expireAfterSeconds null unless documents expire
 * @param filter the partial filter expression; empty if it has none
 * @param collation empty if strings are compared byte by byte
 * @param textFields the fields of a text index, in order
 */
record MongoIndex(
        String name,
        List<Part> parts,
        boolean unique,
        boolean sparse,
        boolean hidden,
        @Nullable Long expireAfterSeconds,
        Map<String, Object> filter,
        Map<String, Object> collation,
        List<String> textFields) {

    private static final String ASCENDING = "1";
    static final String DESCENDING = "-1";
    static final String HASHED = "hashed";
    private static final String TEXT = "text";
    private static final String WILDCARD = "$**";

    /**
     * A part of a key.
     *
     * @param kind {@code 1}, {@code -1}, or a name such as {@code hashed}, {@code text} and {@code 2dsphere}
     */
    public record Part(String path, String kind) {
        /** Whether it is in ascending or descending order. */
        boolean isOrdered() {
            return kind.equals(ASCENDING) || kind.equals(DESCENDING);
        }

        boolean isWildcard() {
            return path.equals(WILDCARD) || path.endsWith("." + WILDCARD);
        }
    }

    /** Reads a description; missing or odd parts of it count as absent. */
    static MongoIndex of(Map<String, Object> spec) {
        List<Part> parts = new ArrayList<>();
        MetadataValues.document(spec.get("key")).forEach((path, how) -> parts.add(new Part(path, kind(how))));
        Double expire = MetadataValues.number(spec.get("expireAfterSeconds"));
        boolean simple =
                "simple".equals(MetadataValues.document(spec.get("collation")).get("locale"));
        return new MongoIndex(
                spec.get("name") instanceof String name && !name.isEmpty() ? name : nameOf(parts),
                parts,
                MetadataValues.isTrue(spec.get("unique")),
                MetadataValues.isTrue(spec.get("sparse")),
                MetadataValues.isTrue(spec.get("hidden")),
                expire == null ? null : Long.valueOf(seconds(expire)),
                MetadataValues.document(spec.get("partialFilterExpression")),
                simple ? Map.of() : MetadataValues.document(spec.get("collation")),
                List.copyOf(MetadataValues.document(spec.get("weights")).keySet()));
    }

    /** Since 5.0, MongoDB takes what is not a number for the maximum. */
    private static long seconds(double expire) {
        return Double.isNaN(expire) ? Integer.MAX_VALUE : Math.min((long) expire, Integer.MAX_VALUE);
    }

    private static String kind(@Nullable Object how) {
        Double number = MetadataValues.number(how);
        return how instanceof String name && !name.isEmpty()
                ? name
                : number != null && number < 0 ? DESCENDING : ASCENDING;
    }

    private static String nameOf(List<Part> parts) {
        return parts.stream().map(part -> part.path() + "_" + part.kind()).collect(Collectors.joining("_"));
    }

    /** Why the import creates nothing for it, whatever the documents are; empty if it may. */
    String unserved() {
        for (Part part : parts) {
            if (part.isWildcard() && part.isOrdered()) {
                return "wildcard indexes are not created; GIN (jsonb_path_ops) on data serves equality of any field";
            }
            if (!part.isOrdered() && !part.kind().equals(HASHED)) {
                return switch (part.kind()) {
                    case TEXT -> "text indexes are not created; GIN on to_tsvector of the fields serves such searches";
                    case "2d", "2dsphere" ->
                        "geospatial indexes are not created; GiST on points, or PostGIS, serves such searches";
                    default -> "its type, " + part.kind() + ", has no counterpart";
                };
            }
        }
        return "";
    }

    boolean isText() {
        return parts.stream().anyMatch(part -> part.kind().equals(TEXT));
    }

    /** Whether it is the index on {@code _id} alone, in any form: here it is the primary key. */
    boolean isOnKey() {
        return parts.size() == 1
                && parts.get(0).path().equals("_id")
                && (parts.get(0).isOrdered() || parts.get(0).kind().equals(HASHED));
    }

    /** Whether a server can have it: U+0000 is in no name of a field, and in no string of jsonb. */
    boolean isPossible() {
        return toString().indexOf('\0') < 0;
    }

    /** Whether every collection has it. */
    boolean isDefault() {
        return isOnKey() && !parts.get(0).kind().equals(HASHED);
    }

    /** Its key as MongoDB's shell shows it, with the properties that matter. */
    public String describe() {
        List<String> words = new ArrayList<>();
        words.add(isText() && parts.size() == 2 ? keyOfText() : key());
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

    private String key() {
        return parts.stream()
                .map(part -> part.path() + ": " + (part.isOrdered() ? part.kind() : '"' + part.kind() + '"'))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private String keyOfText() {
        return textFields.stream()
                .map(path -> String.format(Locale.ROOT, "%s: \"text\"", path))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
