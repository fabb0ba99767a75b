package io.pgstress.dataset;

import io.pgstress.plan.KeyType;
import io.pgstress.target.statement.SqlStatement;
import java.nio.ByteBuffer;
import java.sql.SQLException;

/**
 * Ids of any type, outside the heap. They are read in key order, so neighbors begin alike: of each block of {@value #BLOCK} ids,
 * the first is stored whole and the others without the bytes that they share with it. With the places of the blocks, that is
 * about 11 bytes for an ObjectId and 15 for a random UUID. Immutable and thread-safe.
 */
final class PackedKeys implements Keys {
    static final int BLOCK = 16;
    /** A header below zero: the length follows. Otherwise it is that of the block's first id. */
    static final int OTHER_LENGTH = 1 << 7;

    static final int MAX_SHARED = OTHER_LENGTH - 1;

    /** Lengths above this take two bytes. */
    static final int MAX_SHORT = Byte.MAX_VALUE;

    static final int MAX_LENGTH = Short.MAX_VALUE;

    private final KeyMemory ids;
    private final KeyMemory blocks;
    private final KeyType type;
    private final long size;
    private final long checksum;

    PackedKeys(KeyMemory ids, KeyMemory blocks, KeyType type, long size, long checksum) {
        this.ids = ids;
        this.blocks = blocks;
        this.type = type;
        this.size = size;
        this.checksum = checksum;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean areNumbers() {
        return areNumbers(type);
    }

    static boolean areNumbers(KeyType type) {
        return type == KeyType.INT || type == KeyType.BIGINT;
    }

    @Override
    public long number(long index) {
        return areNumbers() ? ByteBuffer.wrap(packed(index)).getLong() : 0;
    }

    @Override
    public String text(long index) {
        return areNumbers() ? Long.toString(number(index)) : KeyText.unpack(packed(index));
    }

    @Override
    public long checksum() {
        return checksum;
    }

    /** Bytes in use, on the heap or not. */
    long bytes() {
        return ids.length() + blocks.length();
    }

    @Override
    public void bind(SqlStatement statement, int parameter, long index) throws SQLException {
        if (areNumbers()) {
            Keys.bindNumber(statement, parameter, number(index), type);
        } else if (type == KeyType.TEXT) {
            statement.setText(parameter, text(index));
        } else {
            statement.setUntyped(parameter, text(index));
        }
    }

    private byte[] packed(long index) {
        long first = blocks.getInt(index / BLOCK * Integer.BYTES);
        int firstLength = length(first, 0);
        long at = first;
        for (int skip = (int) (index % BLOCK); skip > 0; skip--) {
            at = next(at, firstLength);
        }
        byte[] packed = new byte[length(at, firstLength)];
        int shared = shared(at);
        ids.read(rest(first), packed, 0, shared);
        ids.read(rest(at), packed, shared, packed.length);
        return packed;
    }

    /** Where the id after the one at this place is. */
    private long next(long at, int firstLength) {
        int header = ids.get(at);
        return header >= 0 ? at + 1 + firstLength - header : rest(at) + length(at, firstLength) - shared(at);
    }

    /** How many bytes the id at this place shares with the first of its block. */
    private int shared(long at) {
        return ids.get(at) & MAX_SHARED;
    }

    /** The length of the id at this place. */
    private int length(long at, int firstLength) {
        if (ids.get(at) >= 0) {
            return firstLength;
        }
        byte length = ids.get(at + 1);
        return length >= 0 ? length : ids.getShort(at + 1) & MAX_LENGTH;
    }

    /** Where the bytes begin that it does not share. */
    private long rest(long at) {
        if (ids.get(at) >= 0) {
            return at + 1;
        }
        return ids.get(at + 1) >= 0 ? at + 2 : at + 1 + Short.BYTES;
    }
}
