package io.pgstress.extra.indexes;

import io.pgstress.bson.FieldPath;
import io.pgstress.bson.ForeignData;
import io.pgstress.text.TextException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The indexes of a collection besides that on {@code _id}, and what the documents have under their paths.
 *
 * @param fault why the indexes are unknown; empty if they are known, or nothing describes them
 * @param described whether there is a description of the indexes, also one that cannot be read
 * @param paths those of all their fields
 */
record CollectionIndexes(
        List<MongoIndex> indexes, String fault, boolean described, Set<List<String>> paths, Shapes shapes) {
    /** Of a collection whose indexes are left aside; looks at no document. */
    static final CollectionIndexes NONE = of(List.of(), "", true);

    private static CollectionIndexes of(List<MongoIndex> indexes, String fault, boolean described) {
        Set<List<String>> paths = new LinkedHashSet<>();
        for (MongoIndex index : indexes) {
            if (index.unserved().isEmpty()) {
                index.parts().forEach(part -> paths.add(FieldPath.names(part.path())));
                PartialFilter.paths(index.filter()).forEach(path -> paths.add(FieldPath.names(path)));
            }
        }
        return new CollectionIndexes(indexes, fault, described, paths, new Shapes(paths));
    }

    /**
     * The indexes that metadata describe.
     *
     * @param metadata the text of a {@code .metadata.json}; empty if there is none
     */
    static CollectionIndexes of(String metadata) {
        try {
            return of(MongoIndex.all(metadata), "", MongoIndex.areDescribed(metadata));
        } catch (TextException e) {
            return of(List.of(), fault(metadata, e), true);
        }
    }

    private static String fault(String metadata, TextException e) {
        String start = metadata.stripLeading();
        return start.startsWith("{") || start.startsWith("[")
                ? "its metadata are not valid JSON" + (e.place().isEmpty() ? "" : " (" + e.place() + ")")
                : "its metadata file is " + ForeignData.of(metadata, "");
    }

    /** Why the indexes are not known, for people; empty if they are. */
    String unknown() {
        return described ? fault : "the dump does not describe them";
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
