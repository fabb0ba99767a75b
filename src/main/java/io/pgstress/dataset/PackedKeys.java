package io.pgstress.dataset;

import io.pgstress.dataset.KeyLoader.KeyRows;
import io.pgstress.plan.KeyType;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.statement.SqlStatement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ids of any type, outside the heap. They are read in key order, so neighbors begin alike: of each block of {@value #BLOCK} ids,
 * the first is stored whole and the others without the bytes that they share with it. With the places of the blocks, that is
 * about 11 bytes for an ObjectId and 15 for a random UUID. Immutable and thread-safe.
 */
record PackedKeys(KeyMemory ids, KeyMemory blocks, KeyType type, long size, long checksum) implements Keys {
    static final int BLOCK = 16;
    /** A header below zero: the length follows. Otherwise it is that of the block's first id. */
    static final int OTHER_LENGTH = 1 << 7;

    static final int MAX_SHARED = OTHER_LENGTH - 1;

    /** Lengths above this take two bytes. */
    static final int MAX_SHORT = Byte.MAX_VALUE;

    static final int MAX_LENGTH = Short.MAX_VALUE;

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

    /** Collects ids in key order for {@link PackedKeys}. Not thread-safe. */
    static final class PackedKeysBuilder implements KeyRows.Sink {
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

    /**
     * Bytes that are appended once and then read at any place. Up to {@value #CHUNK} of them are on the heap; every full chunk is
     * written to a temporary file and read through a mapping, outside the heap. Only its owner may read the file, which is deleted
     * as soon as it is open (on Windows, when the process ends). One thread appends and calls {@link #finish}; after that, any
     * thread may read.
     */
    static final class KeyMemory {
        static final int CHUNK = 1 << 24;
        private static final int FIRST = 1 << 12;
        private static final int SHIFT = Integer.numberOfTrailingZeros(CHUNK);

        private final List<ByteBuffer> full = new ArrayList<>();
        private byte[] last = new byte[FIRST];
        private int used;
        private long before;
        private @Nullable FileChannel file;
        private ByteBuffer[] chunks = {};

        /** Number of bytes. */
        long length() {
            return before + used;
        }

        /** @throws TargetException if the temporary file cannot be written */
        void append(int value) {
            if (used == last.length) {
                grow();
            }
            last[used++] = (byte) value;
        }

        void appendShort(int value) {
            append(value >> Byte.SIZE);
            append(value);
        }

        void appendInt(int value) {
            appendShort(value >> Short.SIZE);
            appendShort(value);
        }

        void append(byte[] bytes, int from, int to) {
            for (int i = from; i < to; i++) {
                append(bytes[i]);
            }
        }

        private void grow() {
            if (last.length < CHUNK) {
                last = Arrays.copyOf(last, 2 * last.length);
                return;
            }
            try {
                FileChannel channel = open();
                ByteBuffer bytes = ByteBuffer.wrap(last);
                long from = channel.size();
                while (bytes.hasRemaining()) {
                    channel.write(bytes, from + bytes.position());
                }
                full.add(channel.map(FileChannel.MapMode.READ_ONLY, from, CHUNK));
                before += CHUNK;
                used = 0;
            } catch (IOException e) {
                throw new TargetException(
                        "the ids of the table need space in " + System.getProperty("java.io.tmpdir") + ": "
                                + e.getMessage()
                                + "; free some, name another directory (-Djava.io.tmpdir=DIR), or use a"
                                + " smaller --key-sample",
                        e);
            }
        }

        private FileChannel open() throws IOException {
            FileChannel channel = file;
            if (channel == null) {
                Path path = Files.createTempFile("pgstress-ids-", ".tmp"); // readable by its owner only
                channel = FileChannel.open(
                        path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
                file = channel;
            }
            return channel;
        }

        /** Ends appending. Mappings outlive the file. */
        void finish() {
            last = Arrays.copyOf(last, used);
            full.add(ByteBuffer.wrap(last));
            chunks = full.toArray(ByteBuffer[]::new);
            close();
        }

        /** Closes the file. */
        void close() {
            try {
                if (file != null) {
                    file.close();
                }
            } catch (IOException e) {
                throw new TargetException("a temporary file of ids cannot be closed: " + e.getMessage(), e);
            }
        }

        byte get(long at) {
            return chunks[(int) (at >>> SHIFT)].get((int) at & CHUNK - 1);
        }

        /** Two bytes as a number from 0 to 65,535. */
        int getShort(long at) {
            return (get(at) & 0xFF) << Byte.SIZE | (get(at + 1) & 0xFF);
        }

        /** Four bytes as a number from 0 to 2^32 - 1. */
        long getInt(long at) {
            return ((long) getShort(at) << Short.SIZE) | getShort(at + Short.BYTES);
        }

        void read(long from, byte[] to, int begin, int end) {
            for (int i = begin; i < end; ) {
                long at = from + i - begin;
                int place = (int) at & CHUNK - 1;
                int length = Math.min(end - i, CHUNK - place);
                chunks[(int) (at >>> SHIFT)].get(place, to, i, length);
                i += length;
            }
        }
    }

    /**
     * Packs the text of an id into fewer bytes: a UUID into 16, an ObjectId or other text of lowercase hexadecimal digits into
     * half. The first byte tells how. Stateless.
     */
    static final class KeyText {
        private static final byte PLAIN = 0;
        private static final byte HEX = 1;
        private static final byte ODD_HEX = 2;
        private static final byte UUID_ID = 3;

        private static final int UUID_LENGTH = 36;
        private static final HexFormat DIGITS = HexFormat.of();

        private KeyText() {}

        /** The packed form of these bytes of text. */
        static byte[] pack(byte[] text, int from, int to) {
            int length = to - from;
            if (length == UUID_LENGTH && text[from + 8] == '-' && text[from + 13] == '-') {
                UUID uuid = uuid(new String(text, from, length, StandardCharsets.ISO_8859_1));
                if (uuid != null) {
                    return packed(UUID_ID, 2 * Long.BYTES)
                            .putLong(uuid.getMostSignificantBits())
                            .putLong(uuid.getLeastSignificantBits())
                            .array();
                }
            }
            if (!isHex(text, from, to)) {
                return packed(PLAIN, length).put(text, from, length).array();
            }
            String digits = new String(text, from, length, StandardCharsets.ISO_8859_1);
            return length % 2 == 0
                    ? packed(HEX, length / 2).put(DIGITS.parseHex(digits)).array()
                    : packed(ODD_HEX, (length + 1) / 2)
                            .put(DIGITS.parseHex(digits + "0"))
                            .array();
        }

        private static ByteBuffer packed(byte kind, int length) {
            return ByteBuffer.allocate(1 + length).put(kind);
        }

        /** The UUID whose usual text this is; null if it is another text. */
        private static @Nullable UUID uuid(String text) {
            try {
                UUID uuid = UUID.fromString(text);
                return uuid.toString().equals(text) ? uuid : null;
            } catch (IllegalArgumentException e) {
                return null;
            }
        }

        /** Whether these are lower-case digits. */
        private static boolean isHex(byte[] text, int from, int to) {
            for (int i = from; i < to; i++) {
                if (!(text[i] >= '0' && text[i] <= '9') && !(text[i] >= 'a' && text[i] <= 'f')) {
                    return false;
                }
            }
            return to > from;
        }

        /** The text that was packed. */
        static String unpack(byte[] packed) {
            return switch (packed[0]) {
                case PLAIN -> new String(packed, 1, packed.length - 1, StandardCharsets.UTF_8);
                case UUID_ID -> {
                    ByteBuffer bits = ByteBuffer.wrap(packed, 1, 2 * Long.BYTES);
                    yield new UUID(bits.getLong(), bits.getLong()).toString();
                }
                case HEX -> DIGITS.formatHex(packed, 1, packed.length);
                default -> DIGITS.formatHex(packed, 1, packed.length).substring(0, 2 * packed.length - 3);
            };
        }

        /** The integer whose decimal digits these bytes are. */
        static long number(byte[] text, int from, int to) {
            boolean isNegative = text[from] == '-';
            long number = 0;
            for (int i = isNegative ? from + 1 : from; i < to; i++) {
                number = 10 * number - (text[i] - '0'); // negative, as Long.MIN_VALUE has no positive counterpart
            }
            return isNegative ? number : -number;
        }
    }
}
