package io.pgstress.dataset;

import io.pgstress.plan.KeyType;
import io.pgstress.target.driver.TargetException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Collects ids in key order for {@link PackedKeys}. Not thread-safe. */
final class PackedKeysBuilder implements KeyRows.Sink {
    private final KeyMemory ids = new KeyMemory();
    private final KeyMemory blocks = new KeyMemory();
    private final KeyType type;
    private final long maxBytes;
    private byte[] first = {};
    private long size;
    private long checksum;

    /** @param maxBytes the most bytes to use, below 2^32 */
    PackedKeysBuilder(KeyType type, long maxBytes) {
        this.type = type;
        this.maxBytes = maxBytes;
    }

    /** @throws TargetException if the id is longer than 32,766 bytes */
    @Override
    public boolean add(byte[] text, int from, int to) {
        byte[] packed =
                PackedKeys.areNumbers(type) ? packed(KeyText.number(text, from, to)) : KeyText.pack(text, from, to);
        if (packed.length > PackedKeys.MAX_LENGTH) {
            throw new TargetException("the table has an id of " + (to - from) + " bytes; at most "
                    + (PackedKeys.MAX_LENGTH - 1) + " are supported");
        }
        if (ids.length() + blocks.length() + packed.length + 2 * Integer.BYTES > maxBytes) {
            return false;
        }
        if (size % PackedKeys.BLOCK == 0) {
            blocks.appendInt((int) ids.length());
            append(packed, true);
            first = packed;
        } else {
            append(packed, false);
        }
        size++;
        checksum = 31 * checksum + Arrays.hashCode(packed);
        return true;
    }

    private static byte[] packed(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private void append(byte[] packed, boolean isFirst) {
        int differs = isFirst ? 0 : Arrays.mismatch(first, packed);
        int shared = Math.min(differs < 0 ? packed.length : differs, PackedKeys.MAX_SHARED);
        if (!isFirst && packed.length == first.length) {
            ids.append(shared);
        } else {
            ids.append(PackedKeys.OTHER_LENGTH | shared);
            if (packed.length <= PackedKeys.MAX_SHORT) {
                ids.append(packed.length);
            } else {
                ids.appendShort(PackedKeys.OTHER_LENGTH << Byte.SIZE | packed.length);
            }
        }
        ids.append(packed, shared, packed.length);
    }

    @Override
    public boolean needsOrder() {
        return true;
    }

    @Override
    public PackedKeys keys() {
        ids.finish();
        blocks.finish();
        return new PackedKeys(ids, blocks, type, size, checksum);
    }

    @Override
    public void close() {
        ids.close();
        blocks.close();
    }
}
