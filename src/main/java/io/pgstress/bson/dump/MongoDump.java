package io.pgstress.bson.dump;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A dump to import. Opening it finds the collections, and {@link #read} reads the documents. Used by one thread, except that
 * any thread may call {@link #bytesRead}. All methods throw {@link io.pgstress.bson.BsonException} for malformed input.
 */
public sealed interface MongoDump extends AutoCloseable permits PlainDump, ArchiveDump, SeveralDumps {
    /** Opens a dump's directory, a database's directory in it, a {@code .bson} file or an archive; detects gzip and zstd. */
    static MongoDump open(Path path, DumpFilter filter) throws IOException {
        if (Files.isDirectory(path)) {
            return new PlainDump(DumpFiles.of(path, filter));
        }
        try (DumpInput input = DumpInput.open(path)) {
            if (!input.isArchive()) {
                return new PlainDump(DumpFiles.ofFile(path, filter));
            }
        }
        return ArchiveDump.of(path, filter);
    }

    /** Opens a stream of documents or of an archive, which can be read only once. {@code label} names it in messages. */
    static MongoDump stream(InputStream in, String label, DumpFilter filter) throws IOException {
        DumpInput input = DumpInput.of(in, label);
        return input.isArchive() ? ArchiveDump.of(input, filter) : new PlainDump(input, filter);
    }

    /** The collections that {@link #read} will read, in order of their names. */
    List<DumpCollection> collections();

    /** What is in the dump but will not be read. */
    List<LeftOut> leftOut();

    /** The collections by the name of the dump that they are in, if this is several dumps; otherwise empty. */
    default Map<String, List<DumpCollection>> byDump() {
        return Map.of();
    }

    /** Whether {@link #read} may be called more than once. */
    boolean rereadable();

    /** Reads everything in chunks of about {@code chunkBytes}; larger for a larger document. */
    void read(DumpVisitor visitor, int chunkBytes) throws IOException, InterruptedException;

    /** The size of the input in bytes, before decompression; -1 if unknown. */
    long bytesTotal();

    /** Bytes of the input that the current or last {@link #read} has read, before decompression. */
    long bytesRead();

    /** Closes a stream that was not read; {@link #read} closes what it opens. */
    @Override
    void close() throws IOException;
}
