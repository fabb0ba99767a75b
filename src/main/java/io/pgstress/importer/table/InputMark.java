package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * By what a resumed import recognizes its input.
 *
 * @param bytes size of the input; -1 if unknown
 * @param sum CRC-32C of the first MiB of the file and, in the lower half, of the last MiB; null if it is not known
 */
public record InputMark(long bytes, @Nullable Long sum) {
    private static final int PART = 1 << 20;

    /** The mark of a collection's file, or of the archive that it is in. */
    public static InputMark of(DumpCollection collection) throws IOException {
        Path file = Path.of(collection.label());
        if (collection.bytes() < 0 || !Files.isRegularFile(file)) {
            return new InputMark(collection.bytes(), null);
        }
        try (FileChannel channel = FileChannel.open(file)) {
            long last = Math.max(0, channel.size() - PART);
            return new InputMark(collection.bytes(), (crc(channel, 0) << Integer.SIZE) | crc(channel, last));
        }
    }

    private static long crc(FileChannel channel, long from) throws IOException {
        ByteBuffer part = ByteBuffer.allocate(PART);
        long at = from;
        for (int read = 0; read >= 0 && part.hasRemaining(); at += Math.max(0, read)) {
            read = channel.read(part, at);
        }
        CRC32C crc = new CRC32C();
        crc.update(part.flip());
        return crc.getValue();
    }

    /** Whether both may be of the same input: what is known of both is equal. */
    boolean isSame(InputMark other) {
        return bytes == other.bytes && (sum == null || other.sum == null || sum.equals(other.sum));
    }
}
