package io.pgstress.importer.verify;

import io.pgstress.text.Counted;
import java.util.Locale;

/**
 * The number of rows and the sum of their hashes, so that order makes no difference. Equal rows have equal checksums; different
 * rows have them with a probability of about 2^-64, unless chosen on purpose. Immutable.
 *
 * @param rows number of rows
 * @param sum sum of their hashes
 */
public record Checksum(long rows, long sum) {
    public static final Checksum NONE = new Checksum(0, 0);

    public Checksum plus(Checksum other) {
        return new Checksum(rows + other.rows, sum + other.sum);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s with checksum %016x", Counted.of(rows, "row"), sum);
    }
}
