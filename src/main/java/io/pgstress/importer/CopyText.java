package io.pgstress.importer;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.copy.CopyFormat;
import io.pgstress.bson.copy.CopyRows;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.DumpVisitor;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.ExtendedJson;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyForm;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a file of documents as the rows that an import makes of them, in COPY's text format for {@code psql \copy}. */
public final class CopyText implements DumpVisitor {
    private static final int CHUNK = 1 << 20;

    private final CopyRows rows;
    private final OutputStream out;
    private final ByteSink sink = new ByteSink(2 * CHUNK);
    private final Chunk chunk = new Chunk(CHUNK);

    private CopyText(KeyForm form, OutputStream out) {
        this.rows = new CopyRows(CopyFormat.TEXT, form, JsonOptions.of(ExtendedJson.RELAXED));
        this.out = out;
    }

    /** Writes the rows of a {@code .bson} or {@code .bson.gz} file of valid documents whose keys have this form. */
    public static void write(Path bson, KeyForm form, Path target) throws IOException, InterruptedException {
        try (MongoDump dump = MongoDump.open(bson, DumpFilter.ALL);
                OutputStream out = Files.newOutputStream(target)) {
            dump.read(new CopyText(form, out), CHUNK);
        }
    }

    @Override
    public boolean begin(DumpCollection collection) {
        return true;
    }

    @Override
    public Chunk empty() {
        return chunk;
    }

    @Override
    public void chunk(DumpCollection collection, Chunk documents) throws IOException {
        sink.clear();
        for (int i = 0; i < documents.count(); i++) {
            if (!rows.append(documents.array(), documents.start(i), documents.size(i), sink)) {
                throw new IOException("document " + documents.ordinal(i) + " cannot be converted: " + rows.reject());
            }
        }
        out.write(sink.array(), 0, sink.length());
        if (Thread.interrupted()) {
            throw new InterruptedIOException("interrupted");
        }
    }

    @Override
    public void end(DumpCollection collection, long count) {}

    @Override
    public void failed(DumpCollection collection, long count, BsonException fault) throws IOException {
        throw fault;
    }

    @Override
    public void unused(Chunk unused) {}
}
