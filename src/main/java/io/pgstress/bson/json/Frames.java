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
    /** Of an object whose elements {@link KeyOrder} has: the first, the next and the one behind the last; else -1. */
    private int[] firsts = new int[16];

    private int[] nexts = new int[16];
    private int[] lasts = new int[16];
    private boolean[] distinct = new boolean[16];
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
            firsts = Arrays.copyOf(firsts, depth * 2);
            nexts = Arrays.copyOf(nexts, depth * 2);
            lasts = Arrays.copyOf(lasts, depth * 2);
            distinct = Arrays.copyOf(distinct, depth * 2);
        }
        limits[depth] = limit;
        serials[depth] = serial;
        firsts[depth] = -1;
        distinct[depth] = false;
        kinds[depth++] = kind;
        return true;
    }

    byte pop() {
        return kinds[--depth];
    }

    /** The innermost one's elements come in the order in which {@link KeyOrder} has them. */
    void order(int first, int end, boolean hasDistinctKeys) {
        firsts[depth - 1] = first;
        nexts[depth - 1] = first;
        lasts[depth - 1] = end;
        distinct[depth - 1] = hasDistinctKeys;
    }

    /** The innermost one's first element in {@link KeyOrder}; -1 where it is left as it is. */
    int first() {
        return firsts[depth - 1];
    }

    /** The innermost one's next element in {@link KeyOrder}; -1 where there is none left. */
    int next() {
        int next = nexts[depth - 1];
        if (next == lasts[depth - 1]) {
            return -1;
        }
        nexts[depth - 1] = next + 1;
        return next;
    }

    /** Whether it is known that no key stands twice in the innermost one. */
    boolean hasDistinctKeys() {
        return distinct[depth - 1];
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
