package io.pgstress.bson;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BiConsumer;
import java.util.zip.GZIPOutputStream;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** Bytes for tests. */
public final class Documents {
    private Documents() {}

    /** {@code {_id: id, text: "..."}}, of this many bytes (25 at least). */
    public static byte[] sized(int id, int size) {
        ByteSink out = new ByteSink(size);
        new BsonWriter(out)
                .document()
                .int32("_id", id)
                .string("text", "x".repeat(size - 25))
                .end();
        return out.toByteArray();
    }

    /** Documents with the numbers from 0 to before {@code count}; {@code fields} writes the elements of each. */
    public static byte[] of(int count, BiConsumer<BsonWriter, Integer> fields) {
        ByteSink sink = new ByteSink(1 << 16);
        BsonWriter writer = new BsonWriter(sink);
        for (int i = 0; i < count; i++) {
            writer.document();
            fields.accept(writer, i);
            writer.end();
        }
        return sink.toByteArray();
    }

    /** The document of this Extended JSON, as MongoDB's library writes it; its whole numbers are ints if they fit. */
    public static byte[] ofJson(String json) {
        BasicOutputBuffer out = new BasicOutputBuffer();
        new BsonDocumentCodec()
                .encode(
                        new BsonBinaryWriter(out),
                        BsonDocument.parse(json),
                        EncoderContext.builder().build());
        return out.toByteArray();
    }

    public static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    public static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    public static byte[] zstd(byte[] plain) {
        return Zstd.compress(plain);
    }

    /** A little-endian number of four bytes. */
    public static byte[] int32(int value) {
        byte[] bytes = new byte[4];
        Bytes.putInt(bytes, 0, value);
        return bytes;
    }
}
