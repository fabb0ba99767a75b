package io.pgstress.importer.index.build;

import io.pgstress.plan.TableName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names of indexes: the table's and MongoDB's. A name that is too long for the server becomes its beginning, {@code $} and the
 * first digits of its SHA-256, so it is always the same.
 */
final class IndexNames {
    /** PostgreSQL's maximum length of a name, in bytes. */
    private static final int MAX_NAME = 63;

    private static final int DIGITS = 12;

    private IndexNames() {}

    static String of(TableName table, String index, String suffix) {
        String whole = table.name() + "_" + index.replace("\0", "") + suffix;
        if (bytes(whole) <= MAX_NAME) {
            return whole;
        }
        int kept = MAX_NAME - DIGITS - 1;
        int end = Math.min(kept, whole.length());
        while (bytes(whole.substring(0, end)) > kept || Character.isHighSurrogate(whole.charAt(end - 1))) {
            end--;
        }
        return whole.substring(0, end) + "$" + digest(whole);
    }

    private static String digest(String name) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }
}
