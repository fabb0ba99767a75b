package io.pgstress.operation.bulk;

import io.pgstress.plan.option.InvalidPlanException;
import java.io.IOException;

/**
 * What the start of a file shows.
 *
 * @param begin the position of the first row after the header
 * @param rowBytes mean length of a row in bytes, above 0
 */
record FirstRows(long begin, double rowBytes) {
    private static final int BYTES = 1 << 16;

    /**
     * Reads the start of a file.
     *
     * @param name names the file in messages
     * @param size its length in bytes
     * @throws InvalidPlanException if no row ends there, and it is not the whole file
     */
    static FirstRows of(FileLines.Reader reader, String name, long size, RowFormat format) throws IOException {
        byte[] first = new byte[BYTES];
        int length = reader.read(first, 0);
        RecordEnds ends = format.ends();
        int rows = 0;
        int begin = format.hasHeader() ? -1 : 0;
        int whole = 0;
        for (int i = 0; i < length; i++) {
            if (ends.endsAt(first[i])) {
                rows += begin < 0 ? 0 : 1;
                begin = begin < 0 ? i + 1 : begin;
                whole = i + 1;
            }
        }
        if (rows > 0) {
            return new FirstRows(begin, (double) (whole - begin) / rows);
        }
        if (length == size && begin >= 0 && begin < size) {
            return new FirstRows(begin, size - begin); // one row, ended by the end of the file
        }
        throw new InvalidPlanException("--input: " + name + problem(size, length < size)
                + "; it needs one line per row, in " + format.label());
    }

    private static String problem(long size, boolean isLonger) {
        if (size == 0) {
            return " is empty";
        }
        return isLonger ? " has no line within its first " + BYTES + " bytes" : " has a header but no rows";
    }
}
