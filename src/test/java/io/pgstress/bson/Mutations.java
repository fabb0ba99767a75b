package io.pgstress.bson;

import java.util.Arrays;
import java.util.Random;

/** Damages bytes as disks, networks and attackers do; the same seed gives the same damage. */
public final class Mutations {
    private static final int[] LENGTHS = {0, 1, 4, 5, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x7ffffff0, 1 << 24};
    private final Random random;

    public Mutations(long seed) {
        random = new Random(seed);
    }

    /** A damaged copy; sometimes longer or shorter. */
    public byte[] of(byte[] sound) {
        byte[] bytes = sound.clone();
        int times = 1 + random.nextInt(4);
        for (int i = 0; i < times && bytes.length > 0; i++) {
            bytes = once(bytes);
        }
        return bytes;
    }

    private byte[] once(byte[] bytes) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(7)) {
            case 0 -> bytes[at] = (byte) random.nextInt();
            case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> bytes[at] = 0;
            case 3 -> bytes[at] = (byte) (random.nextInt(0x15) - 1);
            case 4 -> {
                if (bytes.length - at >= 4) {
                    int before = Bytes.intAt(bytes, at);
                    int nearby = before + random.nextInt(9) - 4;
                    Bytes.putInt(bytes, at, random.nextBoolean() ? nearby : LENGTHS[random.nextInt(LENGTHS.length)]);
                }
            }
            case 5 -> {
                return Arrays.copyOf(bytes, at);
            }
            default -> {
                int from = random.nextInt(bytes.length);
                int count = Math.min(random.nextInt(20), bytes.length - Math.max(at, from));
                System.arraycopy(bytes, from, bytes, at, count);
            }
        }
        return bytes;
    }
}
