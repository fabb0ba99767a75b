package io.pgstress.bson.dump;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A dump to import. Opening finds what there is, {@link #read} hands over the documents. One thread reads; any thread may ask
 * {@link #bytesRead}. All methods throw {@link io.pgstress.bson.BsonException} for input that is not what it must be.
 */
public sealed interface MongoDump extends AutoCloseable permits DirectoryDump, ArchiveDump, StreamDump {
    /** Opens a dump's directory, a database's directory in it, a {@code .bson} file or an archive; gzipped or not is found out. */
    static MongoDump open(Path path, DumpFilter filter) throws IOException {
        if (Files.isDirectory(path)) {
            return new DirectoryDump(DumpFiles.of(path, filter));
        }
        try (DumpInput input = DumpInput.open(path)) {
            if (!input.isArchive()) {
                return new DirectoryDump(DumpFiles.ofFile(path, filter));
            }
        }
        return ArchiveDump.of(path, filter);
    }

    /** Takes a stream, which can be read only once, of documents or of an archive. {@code label} names it in messages. */
    static MongoDump stream(InputStream in, String label, DumpFilter filter) throws IOException {
        DumpInput input = DumpInput.of(in, label);
        return input.isArchive() ? ArchiveDump.of(input, filter) : new StreamDump(input, filter);
    }

    /** The collections that {@link #read} will begin, in order of their names. */
    List<DumpCollection> collections();

    /** What was found and is not read. */
    List<LeftOut> leftOut();

    /** Whether {@link #read} may be called more than once. */
    boolean rereadable();

    /** Reads everything, in chunks of about {@code chunkBytes}; a longer document makes a longer chunk. */
    void read(DumpVisitor visitor, int chunkBytes) throws IOException, InterruptedException;

    /** Bytes of the input, compressed as they are; -1 if unknown. */
    long bytesTotal();

    /** Bytes of them that this {@link #read}, or the last, has taken. */
    long bytesRead();

    /** Closes a stream that was not read; what {@link #read} opened it has closed. */
    @Override
    void close() throws IOException;
}
