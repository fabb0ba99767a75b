package io.pgstress.extra.indexes;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.Elements;
import io.pgstress.bson.FieldPath;
import io.pgstress.extra.FieldSql;
import io.pgstress.extra.FieldSql.Kinds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of values that a collection has under the paths of its indexes, which are a tree of names. All other fields of documents
 * are skipped. Thread-safe.
 */
final class Shapes {
    /** A name in a path; the kinds of the values at it are those with the number {@code id}. */
    private static final class Node {
        final byte[] name;
        final int id;
        final boolean isSubscript;
        Node[] children = {};

        Node(String name, int id) {
            this.name = name.getBytes(StandardCharsets.UTF_8);
            this.id = id;
            this.isSubscript = FieldPath.isPosition(name);
        }

        @Nullable
        Node child(byte[] bytes, int from, int to) {
            for (Node each : children) {
                if (Arrays.equals(each.name, 0, each.name.length, bytes, from, to)) {
                    return each;
                }
            }
            return null;
        }

        @Nullable
        Node child(String name) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            return child(bytes, 0, bytes.length);
        }

        Node addedChild(Node child) {
            children = Arrays.copyOf(children, children.length + 1);
            children[children.length - 1] = child;
            return child;
        }

        boolean hasSubscripts() {
            return Arrays.stream(children).anyMatch(each -> each.isSubscript);
        }
    }

    private final Node root = new Node("", 0);
    private final int[] kinds;

    Shapes(Collection<List<String>> paths) {
        int count = 1;
        for (List<String> path : paths) {
            Node node = root;
            for (String name : path) {
                Node child = node.child(name);
                node = child == null ? node.addedChild(new Node(name, count++)) : child;
            }
        }
        kinds = new int[count];
    }

    /** Looks at the documents of a chunk. It ignores what is malformed. */
    void see(Chunk chunk) {
        if (root.children.length == 0) {
            return;
        }
        int[] found = new int[kinds.length];
        for (int i = 0; i < chunk.count(); i++) {
            int from = chunk.start(i);
            see(root, chunk.array(), from + Integer.BYTES, from + chunk.size(i) - 1, found);
        }
        synchronized (this) {
            for (int i = 0; i < found.length; i++) {
                kinds[i] |= found[i];
            }
        }
    }

    private static void see(Node parent, byte[] bytes, int from, int limit, int[] kinds) {
        int wanted = parent.children.length;
        int element = from;
        while (element < limit && wanted > 0) {
            int end = Bytes.nulAt(bytes, element + 1, limit);
            int type = bytes[element] & 0xff;
            int next = end < 0 ? -1 : Elements.end(type, bytes, end + 1, limit);
            if (next < 0) {
                return;
            }
            Node child = parent.child(bytes, element + 1, end);
            if (child != null) {
                wanted--;
                kinds[child.id] |= Kinds.of(type, bytes, end + 1);
                if (type == BsonType.DOCUMENT || (type == BsonType.ARRAY && child.hasSubscripts())) {
                    see(child, bytes, end + 1 + Integer.BYTES, next - 1, kinds);
                }
            }
            element = next;
        }
    }

    /** Adds kinds of values at a path. */
    synchronized void add(List<String> path, int found) {
        Node node = root;
        for (String name : path) {
            node = node == null ? null : node.child(name);
        }
        if (node != null) {
            kinds[node.id] |= found;
        }
    }

    /** The field of this path, with the kinds of values found so far. */
    synchronized FieldSql field(String path) {
        List<String> names = FieldPath.names(path);
        List<Integer> found = new ArrayList<>();
        Node node = root;
        for (String name : names) {
            node = node == null ? null : node.child(name);
            found.add(node == null ? 0 : kinds[node.id]);
        }
        return new FieldSql(names, found);
    }
}
