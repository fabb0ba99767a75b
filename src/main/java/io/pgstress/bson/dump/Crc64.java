package io.pgstress.bson.dump;

import io.pgstress.bson.Bytes;

/**
 * The CRC-64 that archives have of each collection's documents: ECMA-182's polynomial, reflected, all ones before and after, as Go's
 * {@code crc64.ECMA} (also known as CRC-64/XZ). Eight bytes a step. Not thread-safe.
 */
final class Crc64 {
    private static final long POLYNOMIAL = 0xC96C5795D7870F42L;
    private static final long[][] TABLES = tables();

    private long crc = -1;

    private static long[][] tables() {
        long[][] tables = new long[8][256];
        for (int b = 0; b < 256; b++) {
            long value = b;
            for (int bit = 0; bit < 8; bit++) {
                value = (value & 1) == 0 ? value >>> 1 : value >>> 1 ^ POLYNOMIAL;
            }
            tables[0][b] = value;
        }
        for (int b = 0; b < 256; b++) {
            for (int i = 1; i < 8; i++) {
                long before = tables[i - 1][b];
                tables[i][b] = tables[0][(int) before & 0xff] ^ before >>> 8;
            }
        }
        return tables;
    }

    void update(byte[] bytes, int from, int count) {
        long value = crc;
        int at = from;
        int end = from + count;
        for (; at + 8 <= end; at += 8) {
            long word = value ^ Bytes.longAt(bytes, at);
            value = TABLES[7][(int) word & 0xff]
                    ^ TABLES[6][(int) (word >>> 8) & 0xff]
                    ^ TABLES[5][(int) (word >>> 16) & 0xff]
                    ^ TABLES[4][(int) (word >>> 24) & 0xff]
                    ^ TABLES[3][(int) (word >>> 32) & 0xff]
                    ^ TABLES[2][(int) (word >>> 40) & 0xff]
                    ^ TABLES[1][(int) (word >>> 48) & 0xff]
                    ^ TABLES[0][(int) (word >>> 56)];
        }
        for (; at < end; at++) {
            value = TABLES[0][(int) (value ^ bytes[at]) & 0xff] ^ value >>> 8;
        }
        crc = value;
    }

    /** The CRC of what was given so far; 0 of nothing. */
    long value() {
        return ~crc;
    }
}
