package io.pgstress.extra.indexes;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Paths of fields as a tree of names, which finds the kinds of the values at its nodes in documents. It skips all other fields.
 * Immutable and thread-safe.
 */
final class PathTree {
    /** A name in a path; the values at it have the number {@code id}. */
    private static final class Node {
        final byte[] name;
        final int id;
        final boolean isSubscript;
        Node[] children = {};

        Node(String name, int id) {
            this.name = name.getBytes(StandardCharsets.UTF_8);
            this.id = id;
            this.isSubscript = Field.isSubscript(name);
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

        boolean hasSubscripts() {
            return Arrays.stream(children).anyMatch(each -> each.isSubscript);
        }
    }

    private final Node root = new Node("", 0);
    private final int size;

    PathTree(Collection<List<String>> paths) {
        int count = 1;
        for (List<String> path : paths) {
            Node node = root;
            for (String name : path) {
                Node child = child(node, name);
                if (child == null) {
                    child = new Node(name, count++);
                    node.children = Arrays.copyOf(node.children, node.children.length + 1);
                    node.children[node.children.length - 1] = child;
                }
                node = child;
            }
        }
        size = count;
    }

    private static @Nullable Node child(Node node, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return node.child(bytes, 0, bytes.length);
    }

    /** The number of nodes. */
    int size() {
        return size;
    }

    /** The number of the node at the end of this path; -1 if there is none. */
    int id(List<String> path) {
        Node node = root;
        for (String name : path) {
            node = child(node, name);
            if (node == null) {
                return -1;
            }
        }
        return node.id;
    }

    /** Adds the kinds of the document's values to those of their nodes. It ignores what is malformed. */
    void see(byte[] bytes, int from, int length, int[] kinds) {
        if (length >= BsonType.MIN_DOCUMENT) {
            see(root, bytes, from + Integer.BYTES, from + length - 1, kinds);
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
}
