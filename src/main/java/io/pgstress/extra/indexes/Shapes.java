package io.pgstress.extra.indexes;

import io.pgstress.bson.Chunk;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The kinds of values that a collection has under the paths of its indexes. Thread-safe. */
final class Shapes {
    private final PathTree tree;
    private final int[] kinds;

    Shapes(Collection<List<String>> paths) {
        tree = new PathTree(paths);
        kinds = new int[tree.size()];
    }

    /** Looks at the documents of a chunk. */
    void see(Chunk chunk) {
        int[] found = new int[tree.size()];
        for (int i = 0; i < chunk.count(); i++) {
            tree.see(chunk.array(), chunk.start(i), chunk.size(i), found);
        }
        add(found);
    }

    /** Looks at a document. */
    void see(byte[] bytes, int from, int length) {
        int[] found = new int[tree.size()];
        tree.see(bytes, from, length, found);
        add(found);
    }

    private synchronized void add(int[] found) {
        for (int i = 0; i < found.length; i++) {
            kinds[i] |= found[i];
        }
    }

    /** Adds kinds of values at a path. */
    synchronized void add(List<String> path, int found) {
        int id = tree.id(path);
        if (id >= 0) {
            kinds[id] |= found;
        }
    }

    /** The field of this path, with the kinds of values found so far. */
    synchronized Field field(String path) {
        List<String> names = Field.names(path);
        List<Integer> found = new ArrayList<>();
        for (int i = 1; i <= names.size(); i++) {
            int id = tree.id(names.subList(0, i));
            found.add(id < 0 ? 0 : kinds[id]);
        }
        return new Field(names, found);
    }
}
