package io.pgstress.extra.diff;

import io.pgstress.bson.ByteSink;
import io.pgstress.plan.KeyType;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;

/**
 * A share of documents and rows, chosen by the MD5 of the key in PostgreSQL's binary format. The server can compute it as well,
 * so it neither converts nor sends the other rows. Not thread-safe.
 */
final class Sample {
    /** Index of the key in {@link io.pgstress.importer.DocumentRow#key}. */
    private static final int KEY_AT = Short.BYTES + Integer.BYTES;

    private final boolean all;
    private final long limit;
    private final MessageDigest md5;

    /** @param share from above 0 to 1 */
    Sample(double share) {
        all = share >= 1;
        limit = Math.max(1, Math.round(share * (1L << Integer.SIZE)));
        try {
            md5 = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    /** Whether nothing is left out. */
    boolean isAll() {
        return all;
    }

    /** Whether a document's key is in the sample. */
    boolean has(ByteSink key) {
        md5.update(key.array(), KEY_AT, key.length() - KEY_AT);
        byte[] digest = md5.digest();
        long first = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            first = first << Byte.SIZE | (digest[i] & 0xff);
        }
        return first < limit;
    }

    /** The condition for a table's rows in the sample, with {@code where}; empty if it is all of them. */
    String where(KeyType type) {
        if (all || limit > 0xffff_ffffL) {
            return "";
        }
        String send = switch (type) {
            case INT -> "int4send";
            case BIGINT -> "int8send";
            case NUMERIC -> "numeric_send";
            case TEXT -> "textsend";
            case UUID -> "uuid_send";
            case TIMESTAMPTZ -> "timestamptz_send";
        };
        return String.format(Locale.ROOT, " where md5(%s(_id)) < '%08x' collate \"C\"", send, limit);
    }
}
