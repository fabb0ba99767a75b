package io.pgstress.extra.indexes;

import io.pgstress.bson.Chunk;
import io.pgstress.bson.FieldPath;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a collection besides that on {@code _id}, and what the documents have under their paths. Thread-safe.
 */
final class CollectionIndexes {
    /** Of a collection whose indexes are left aside; looks at no document. */
    static final CollectionIndexes NONE = new CollectionIndexes(List.of(), "");

    private final List<MongoIndex> indexes;
    private final String fault;
    private final List<List<String>> paths;
    private final @Nullable Shapes shapes;

    private CollectionIndexes(List<MongoIndex> indexes, String fault) {
        this.indexes = List.copyOf(indexes);
        this.fault = fault;
        this.paths = List.copyOf(paths(indexes));
        this.shapes = indexes.isEmpty() ? null : new Shapes(paths);
    }

    /**
     * The indexes that metadata describe.
     *
     * @param metadata the text of a {@code .metadata.json}; empty if there is none
     */
    static CollectionIndexes of(String metadata) {
        if (metadata.isBlank()) {
            return NONE;
        }
        List<MongoIndex> found = new ArrayList<>();
        try {
            Object all = Json.readMap(metadata).get("indexes");
            for (Object each : all instanceof List<?> list ? list : List.of()) {
                MongoIndex index = MongoIndex.of(MetadataValues.document(each));
                if (!index.parts().isEmpty() && !index.isDefault()) {
                    found.add(index);
                }
            }
        } catch (TextException e) {
            return new CollectionIndexes(List.of(), "its metadata are not valid JSON: " + e.getMessage());
        }
        return found.isEmpty() ? NONE : new CollectionIndexes(found, "");
    }

    private static Set<List<String>> paths(List<MongoIndex> indexes) {
        Set<List<String>> paths = new LinkedHashSet<>();
        indexes.stream()
                .filter(index -> index.isPossible() && index.unserved().isEmpty())
                .forEach(index -> addPaths(index, paths));
        return paths;
    }

    private static void addPaths(MongoIndex index, Set<List<String>> paths) {
        index.parts().forEach(part -> paths.add(FieldPath.names(part.path())));
        PartialFilter.paths(index.filter()).forEach(path -> paths.add(FieldPath.names(path)));
    }

    /** Whether there is nothing to create or to report. */
    boolean isEmpty() {
        return indexes.isEmpty() && fault.isEmpty();
    }

    /** Why the indexes are unknown; empty if they are known. */
    String fault() {
        return fault;
    }

    List<MongoIndex> indexes() {
        return indexes;
    }

    /** Looks at the documents of a chunk, which the caller may then reuse. */
    void see(Chunk chunk) {
        if (shapes != null) {
            shapes.see(chunk);
        }
    }

    /** The paths of all fields, and of the documents that contain them. */
    Set<List<String>> paths() {
        Set<List<String>> all = new LinkedHashSet<>();
        for (List<String> path : paths) {
            for (int i = 1; i <= path.size(); i++) {
                all.add(path.subList(0, i));
            }
        }
        return all;
    }

    Shapes shapes() {
        return shapes == null ? new Shapes(List.of()) : shapes;
    }
}
