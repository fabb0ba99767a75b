package io.pgstress.bson;

import io.pgstress.bson.copy.CopyRows;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.KeyForm;
import java.util.concurrent.TimeUnit;
import org.bson.RawBsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * BSON to JSON by one thread, beside MongoDB's library. {@code megabytes} is MB of BSON a second; {@code -prof gc} tells what a document
 * allocates.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ConverterBenchmark {
    @Param
    public SampleDocuments shape;

    private final ByteSink out = new ByteSink(64 * 1024);
    private final DocumentConverter relaxed = new DocumentConverter(JsonOptions.of(ExtendedJson.RELAXED));
    private final DocumentConverter canonical = new DocumentConverter(JsonOptions.of(ExtendedJson.CANONICAL));
    private final JsonWriterSettings library =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();
    private CopyRows rows;
    private byte[][] documents;
    private int next;

    /** BSON converted in a second. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Volume {
        private long bytes;

        @Setup(Level.Iteration)
        public void reset() {
            bytes = 0;
        }

        public double megabytes() {
            return bytes / 1e6;
        }
    }

    @Setup
    public void documents() {
        documents = shape.documents();
        KeyForm form = shape == SampleDocuments.TYPICAL ? KeyForm.TEXT : KeyForm.INT;
        rows = new CopyRows(form, JsonOptions.of(ExtendedJson.RELAXED));
    }

    private byte[] next(Volume volume) {
        byte[] document = documents[next++ & (documents.length - 1)];
        volume.bytes += document.length;
        out.clear();
        return document;
    }

    @Benchmark
    public boolean relaxed(Volume volume) {
        byte[] document = next(volume);
        return relaxed.convert(document, 0, document.length, out);
    }

    /** The keys of objects in jsonb's order, as the import sends them. */
    @Benchmark
    public boolean ordered(Volume volume) {
        byte[] document = next(volume);
        return relaxed.convertOrdered(document, 0, document.length, out);
    }

    @Benchmark
    public boolean canonical(Volume volume) {
        byte[] document = next(volume);
        return canonical.convert(document, 0, document.length, out);
    }

    /** The whole row, key and document, as COPY takes it. */
    @Benchmark
    public boolean copyRow(Volume volume) {
        byte[] document = next(volume);
        return rows.append(document, 0, document.length, out);
    }

    @Benchmark
    public String library(Volume volume) {
        return new RawBsonDocument(next(volume)).toJson(library);
    }
}
