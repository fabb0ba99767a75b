package io.pgstress.bson.json;

import java.util.Arrays;

/** The documents and arrays that are open, from the outermost in: a stack of primitives, so that no nesting can exhaust a thread's. */
final class Frames {
    /** What an open container is, and so what closes it. */
    static final byte OBJECT = 0;

    static final byte ARRAY = 1;
    /** The document of a code with scope, inside a wrapper object. */
    static final byte SCOPE = 2;

    private final int maxDepth;
    private int[] limits = new int[16];
    private int[] serials = new int[16];
    private byte[] kinds = new byte[16];
    private int depth;

    Frames(int maxDepth) {
        this.maxDepth = maxDepth;
    }

    void clear() {
        depth = 0;
    }

    int depth() {
        return depth;
    }

    /** Opens one that ends with the zero byte at {@code limit}; false where the nesting is too deep. */
    boolean push(byte kind, int limit, int serial) {
        if (depth == maxDepth) {
            return false;
        }
        if (depth == limits.length) {
            limits = Arrays.copyOf(limits, depth * 2);
            serials = Arrays.copyOf(serials, depth * 2);
            kinds = Arrays.copyOf(kinds, depth * 2);
        }
        limits[depth] = limit;
        serials[depth] = serial;
        kinds[depth++] = kind;
        return true;
    }

    byte pop() {
        return kinds[--depth];
    }

    /** Where the innermost one's terminator is. */
    int limit() {
        return limits[depth - 1];
    }

    byte kind() {
        return kinds[depth - 1];
    }

    /** The number that the innermost one has for {@link KeySet}. */
    int serial() {
        return serials[depth - 1];
    }
}
