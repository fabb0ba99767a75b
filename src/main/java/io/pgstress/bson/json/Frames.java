package io.pgstress.bson.json;

import java.util.Arrays;

/** The stack of open documents and arrays; uses arrays of primitives, so that deep nesting cannot overflow a thread's stack. */
final class Frames {
    /** The kind of an open container, which determines how it is closed. */
    static final byte OBJECT = 0;

    static final byte ARRAY = 1;
    /** The document of a code with scope, inside a wrapper object. */
    static final byte SCOPE = 2;

    private final int maxDepth;
    private int[] limits = new int[16];
    private int[] serials = new int[16];
    private byte[] kinds = new byte[16];
    /** For an object sorted by {@link KeyOrder}: its first element, its next one and the one after the last; otherwise -1. */
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

    /** Opens a container that ends with the zero byte at {@code limit}; false if the nesting is too deep. */
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

    /** Sets that the innermost container's elements come in the order of {@link KeyOrder}. */
    void order(int first, int end, boolean hasDistinctKeys) {
        firsts[depth - 1] = first;
        nexts[depth - 1] = first;
        lasts[depth - 1] = end;
        distinct[depth - 1] = hasDistinctKeys;
    }

    /** The innermost container's first element in {@link KeyOrder}; -1 if it is not sorted. */
    int first() {
        return firsts[depth - 1];
    }

    /** The innermost container's next element in {@link KeyOrder}; -1 if none is left. */
    int next() {
        int next = nexts[depth - 1];
        if (next == lasts[depth - 1]) {
            return -1;
        }
        nexts[depth - 1] = next + 1;
        return next;
    }

    /** Whether the innermost container is known not to repeat a key. */
    boolean hasDistinctKeys() {
        return distinct[depth - 1];
    }

    /** The index of the innermost container's terminator. */
    int limit() {
        return limits[depth - 1];
    }

    byte kind() {
        return kinds[depth - 1];
    }

    /** The innermost container's serial number for {@link KeySet}. */
    int serial() {
        return serials[depth - 1];
    }
}
