package io.pgstress.importer;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.dataset.SplitMix;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a collection in mongodump's layout: {@code DIR/DB/COLLECTION.bson[.gz]}, its metadata beside it and {@code
 * prelude.json[.gz]} in the directory above. The same arguments give the same documents, byte by byte.
 *
 * @param shape shape of the documents
 * @param count number of documents; at most 2^31 - 1 of the small shape, whose ids are ints
 * @param gzip whether files are compressed, as {@code mongodump --gzip} does
 */
public record SampleDump(String database, String collection, SampleShape shape, long count, long seed, boolean gzip) {
    private static final int FLUSH = 1 << 16;

    /**
     * Writes the files, replacing existing ones.
     *
     * @return bytes of BSON written, uncompressed
     * @throws InterruptedIOException if the thread is interrupted; the file is then incomplete
     */
    public long write(Path directory) throws IOException {
        Path folder = Files.createDirectories(directory.resolve(database));
        text(directory.resolve("prelude.json"), "{\"ServerVersion\":\"7.0.0\",\"ToolVersion\":\"100.10.0\"}");
        text(
                folder.resolve(collection + ".metadata.json"),
                "{\"indexes\":[{\"v\":{\"$numberInt\":\"2\"},\"key\":{\"_id\":{\"$numberInt\":\"1\"}},\"name\":\"_id_\"}],"
                        + "\"uuid\":\"" + String.format(Locale.ROOT, "%032x", seed) + "\",\"collectionName\":\""
                        + collection
                        + "\",\"type\":\"collection\"}");
        try (OutputStream out = open(folder.resolve(collection + ".bson"))) {
            return documents(out);
        }
    }

    private long documents(OutputStream out) throws IOException {
        ByteSink sink = new ByteSink(2 * FLUSH);
        BsonWriter writer = new BsonWriter(sink);
        SplitMix random = new SplitMix(seed, shape.ordinal());
        StringBuilder text = new StringBuilder();
        long bytes = 0;
        for (long i = 0; i < count; i++) {
            shape.write(writer, i, random, text);
            if (sink.length() >= FLUSH || i + 1 == count) {
                out.write(sink.array(), 0, sink.length());
                bytes += sink.length();
                sink.clear();
                if (Thread.interrupted()) {
                    throw new InterruptedIOException("interrupted");
                }
            }
        }
        return bytes;
    }

    private void text(Path file, String text) throws IOException {
        try (OutputStream out = open(file)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private OutputStream open(Path file) throws IOException {
        if (!gzip) {
            return new BufferedOutputStream(Files.newOutputStream(file));
        }
        Path compressed = file.resolveSibling(file.getFileName() + ".gz");
        return new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(compressed)));
    }
}
