package io.pgstress.extra.oplog;

/** Indexes of arrays as field names. */
final class ArrayIndex {
    private static final int MAX_DIGITS = 9;

    private ArrayIndex() {}

    /** The index; -1 if the name is not one. */
    static int of(String name) {
        boolean digits = !name.isEmpty() && name.length() <= MAX_DIGITS;
        return digits && name.chars().allMatch(c -> c >= '0' && c <= '9') ? Integer.parseInt(name) : -1;
    }
}
