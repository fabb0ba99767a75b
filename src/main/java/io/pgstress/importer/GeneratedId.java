package io.pgstress.importer;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.json.KeyFinder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Adds an ObjectId to a document without {@code _id}, as its first element, where a MongoDB server would put it. The id is made
 * of the document's number, so that ids ascend, and of a hash of the document. It is thus the same when the import is resumed or
 * verified. Not thread-safe.
 */
final class GeneratedId {
    private static final byte[] NAME = {BsonType.OBJECT_ID, '_', 'i', 'd', 0};
    private static final int LENGTH = 12;
    private static final int HASHED = 7;
    private static final int ADDED = NAME.length + LENGTH;

    private final KeyFinder finder = new KeyFinder();
    private final MessageDigest sha;

    GeneratedId() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Whether the document needs an id. */
    boolean isMissing(Chunk chunk, int document) {
        int size = chunk.size(document);
        return size <= BsonType.MAX_DOCUMENT - ADDED && !finder.find(chunk.array(), chunk.start(document), size);
    }

    /** A copy of the document with an id. */
    byte[] add(Chunk chunk, int document) {
        byte[] bytes = chunk.array();
        int start = chunk.start(document);
        int size = chunk.size(document);
        byte[] copy = new byte[size + ADDED];
        Bytes.putInt(copy, 0, copy.length);
        System.arraycopy(NAME, 0, copy, Integer.BYTES, NAME.length);
        int id = Integer.BYTES + NAME.length;
        long ordinal = chunk.ordinal(document);
        for (int i = 0; i < LENGTH - HASHED; i++) {
            copy[id + i] = (byte) (ordinal >>> (8 * (LENGTH - HASHED - 1 - i)));
        }
        sha.update(bytes, start, size);
        System.arraycopy(sha.digest(), 0, copy, id + LENGTH - HASHED, HASHED);
        System.arraycopy(bytes, start + Integer.BYTES, copy, Integer.BYTES + ADDED, size - Integer.BYTES);
        return copy;
    }
}
