package io.pgstress.importer.verify;

import java.util.Locale;

/**
 * Rows counted, and their hashes added up, so that order makes no difference. Two such sums are the same for the same rows;
 * for others they are the same by a chance of about one in 2^64, unless someone chose the rows for it. Immutable.
 *
 * @param rows how many
 * @param sum of their hashes
 */
public record Checksum(long rows, long sum) {
    public static final Checksum NONE = new Checksum(0, 0);

    public Checksum plus(Checksum other) {
        return new Checksum(rows + other.rows, sum + other.sum);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d rows with checksum %016x", rows, sum);
    }
}
