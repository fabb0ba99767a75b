package io.pgstress.extra.indexes;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.Elements;
import io.pgstress.bson.FieldPath;
import io.pgstress.extra.indexes.Shapes.Kinds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    synchronized IndexedField field(String path) {
        List<String> names = FieldPath.names(path);
        List<Integer> found = new ArrayList<>();
        for (int i = 1; i <= names.size(); i++) {
            int id = tree.id(names.subList(0, i));
            found.add(id < 0 ? 0 : kinds[id]);
        }
        return new IndexedField(names, found);
    }

    /** Sets of kinds of values, one bit each, as far as they matter for indexes. */
    static final class Kinds {
        static final int NULL = 1;
        static final int NUMBER = 1 << 1;
        static final int STRING = 1 << 2;
        /** A date that relaxed JSON writes as text. */
        static final int DATE = 1 << 3;

        static final int OTHER_DATE = 1 << 4;
        static final int DOCUMENT = 1 << 5;
        static final int ARRAY = 1 << 6;
        static final int OTHER = 1 << 7;
        /** A number that is stored as text in a wrapper, so that its order is that of texts. */
        static final int DECIMAL = 1 << 8;

        /** 10000-01-01T00:00:00Z; see {@link io.pgstress.bson.json.DateText}. */
        private static final long YEAR_10000 = 253_402_300_800_000L;

        private Kinds() {}

        /** The kind of a value of this BSON type. */
        static int of(int type, byte[] bytes, int at) {
            return switch (type) {
                case BsonType.NULL, BsonType.UNDEFINED -> NULL;
                case BsonType.DOUBLE, BsonType.INT32, BsonType.INT64 -> NUMBER;
                case BsonType.STRING, BsonType.SYMBOL -> STRING;
                case BsonType.DATE -> ofDate(Bytes.longAt(bytes, at));
                case BsonType.DOCUMENT -> DOCUMENT;
                case BsonType.ARRAY -> ARRAY;
                case BsonType.DECIMAL128 -> OTHER | DECIMAL;
                default -> OTHER;
            };
        }

        private static int ofDate(long millis) {
            return isText(millis) ? DATE : OTHER_DATE;
        }

        /** Whether relaxed JSON writes this instant, in milliseconds since 1970, as text. */
        static boolean isText(long millis) {
            return millis >= 0 && millis < YEAR_10000;
        }
    }

    /**
     * Paths of fields as a tree of names, which finds the kinds of the values at its nodes in documents. It skips all other fields.
     * Immutable and thread-safe.
     */
    static final class PathTree {
        /** A name in a path; the values at it have the number {@code id}. */
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
}
