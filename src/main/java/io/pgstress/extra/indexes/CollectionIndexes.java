package io.pgstress.extra.indexes;

import io.pgstress.bson.FieldPath;
import io.pgstress.text.TextException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The indexes of a collection besides that on {@code _id}, and what the documents have under their paths.
 *
 * @param fault why the indexes are unknown; empty if they are known
 * @param paths those of all their fields
 */
record CollectionIndexes(List<MongoIndex> indexes, String fault, Set<List<String>> paths, Shapes shapes) {
    /** Of a collection whose indexes are left aside; looks at no document. */
    static final CollectionIndexes NONE = of(List.of(), "");

    private static CollectionIndexes of(List<MongoIndex> indexes, String fault) {
        Set<List<String>> paths = new LinkedHashSet<>();
        for (MongoIndex index : indexes) {
            if (index.unserved().isEmpty()) {
                index.parts().forEach(part -> paths.add(FieldPath.names(part.path())));
                PartialFilter.paths(index.filter()).forEach(path -> paths.add(FieldPath.names(path)));
            }
        }
        return new CollectionIndexes(indexes, fault, paths, new Shapes(paths));
    }

    /**
     * The indexes that metadata describe.
     *
     * @param metadata the text of a {@code .metadata.json}; empty if there is none
     */
    static CollectionIndexes of(String metadata) {
        try {
            return of(MongoIndex.all(metadata), "");
        } catch (TextException e) {
            return of(List.of(), "its metadata are not valid JSON: " + e.getMessage());
        }
    }

    /** The paths of all fields, and of the documents that contain them. */
    Set<List<String>> pathsWithParents() {
        Set<List<String>> all = new LinkedHashSet<>();
        for (List<String> path : paths) {
            for (int i = 1; i <= path.size(); i++) {
                all.add(path.subList(0, i));
            }
        }
        return all;
    }
}
