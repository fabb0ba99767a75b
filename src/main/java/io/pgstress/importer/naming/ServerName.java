package io.pgstress.importer.naming;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names that are not too long for the server. A longer one becomes its beginning, {@code $} and the first digits of its SHA-256,
 * so it is always the same.
 */
public final class ServerName {
    /** PostgreSQL's maximum length of a name, in bytes. */
    public static final int MAX_BYTES = 63;

    private static final int DIGITS = 12;

    private ServerName() {}

    /** The name itself, or its short form. */
    public static String of(String name) {
        return bytes(name) <= MAX_BYTES ? name : shortened(name, name, MAX_BYTES - DIGITS - 1);
    }

    /** A name that begins like this one and is different for each {@code digested} text. */
    public static String distinct(String name, String digested) {
        return shortened(name, digested, MAX_BYTES - DIGITS - 1);
    }

    /** The short form with at most so many bytes of the name. */
    public static String shortened(String name, int kept) {
        return shortened(name, name, kept);
    }

    private static String shortened(String name, String digested, int kept) {
        int end = Math.min(kept, name.length());
        while (bytes(name.substring(0, end)) > kept || Character.isHighSurrogate(name.charAt(end - 1))) {
            end--;
        }
        return name.substring(0, end) + "$" + digest(digested);
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The length of a name as the server counts it, in a database with the encoding UTF8. */
    public static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }
}
