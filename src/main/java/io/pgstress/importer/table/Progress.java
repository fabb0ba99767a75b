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
 * The state of an import into a table.
 *
 * @param input what a resumed import must have as its input
 * @param chunkBytes size of the chunks; only an import with the same size can be resumed
 * @param temporary whether the table holds rows for another table, and is dropped once they are moved
 * @param keyAfter whether the primary key is created after the rows are loaded
 * @param rowsBefore rows that the table had before; -1 if it had some, and nobody counted them. Once staged rows are moved: those
 *     with the _id of no document
 * @param keptRows once staged rows are moved: rows that the table had before and that differ from the document with their _id
 * @param verified whether the complete table was compared with the input and was as expected
 * @param values the options that decide how values are written
 */
public record Progress(
        InputMark input,
        long chunkBytes,
        State state,
        boolean temporary,
        boolean keyAfter,
        long rowsBefore,
        long keptRows,
        boolean verified,
        String values) {

    /** A step of an import. */
    public enum State {
        /** Chunks are loaded. */
        LOADING,
        /** Staged rows were moved to their destination, and the staging table was dropped. */
        MOVED,
        /** Everything is done. */
        COMPLETE,
        /** Everything that could be read of a damaged or truncated input is loaded. */
        DAMAGED
    }

    /** The state of an import that begins. */
    public static Progress begun(
            InputMark input, long chunkBytes, boolean temporary, boolean keyAfter, long rowsBefore, String values) {
        return new Progress(input, chunkBytes, State.LOADING, temporary, keyAfter, rowsBefore, 0, false, values);
    }

    /** Whether nothing is left to do with this input. */
    boolean hasEnded() {
        return state == State.COMPLETE || state == State.DAMAGED;
    }

    /** Whether this is an import of this input, with which nothing is left to do. */
    boolean hasEnded(InputMark of) {
        return hasEnded() && input.isSame(of);
    }

    /** Whether this is an unfinished import of this input, cut into the same chunks. */
    public boolean isResumable(InputMark of, long chunk) {
        return (state == State.LOADING || state == State.MOVED) && input.isSame(of) && chunkBytes == chunk;
    }

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
}
