package io.pgstress.bson.dump;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Reading gzip data of four members, 8 MiB in all: our own, the JDK's, and that of Commons Compress. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class GzipBenchmark {
    private final byte[] buffer = new byte[256 * 1024];
    private byte[] compressed = {};

    @Setup
    public void compress() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[][] documents = io.pgstress.bson.SampleDocuments.TYPICAL.documents();
        for (int member = 0; member < 4; member++) {
            try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                for (int size = 0, i = 0; size < 2 << 20; i++) {
                    byte[] document = documents[i & (documents.length - 1)];
                    gzip.write(document);
                    size += document.length;
                }
            }
        }
        compressed = out.toByteArray();
    }

    private long read(InputStream in) throws IOException {
        long count = 0;
        try (in) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                count += read;
            }
        }
        return count;
    }

    @Benchmark
    public long own() throws IOException {
        return read(new GzipInput(new ByteArrayInputStream(compressed)));
    }

    @Benchmark
    public long jdk() throws IOException {
        return read(new GZIPInputStream(new ByteArrayInputStream(compressed), 64 * 1024));
    }

    @Benchmark
    public long commonsCompress() throws IOException {
        return read(GzipCompressorInputStream.builder()
                .setInputStream(new ByteArrayInputStream(compressed))
                .setBufferSize(64 * 1024)
                .setDecompressConcatenated(true)
                .get());
    }
}
