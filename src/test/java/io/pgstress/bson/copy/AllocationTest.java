package io.pgstress.bson.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.DocumentSource;
import io.pgstress.bson.Documents;
import io.pgstress.bson.InputWindow;
import io.pgstress.bson.RandomDocuments;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.testing.RunsAlone;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory allocated while reading and converting does not grow with the number of documents. */
@RunsAlone
class AllocationTest {
    private static final int DOCUMENTS = 2_000;

    @ParameterizedTest
    @EnumSource(KeyForm.class)
    void readingAndConvertingAllocateNothing(KeyForm form) throws IOException {
        assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocations");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemoryEnabled(), "this JVM does not count allocations");
        byte[] few = input(id(form));
        byte[] many = Documents.concat(few, few, few, few, few, few, few, few);
        CopyRows rows = new CopyRows(form, JsonOptions.of(ExtendedJson.values()[form.ordinal() % 2]));
        ByteSink out = new ByteSink(1 << 20);
        Chunk chunk = new Chunk(64 * 1024);
        allocated(threads, many, rows, out, chunk);
        long base = allocated(threads, few, rows, out, chunk);
        long all = allocated(threads, many, rows, out, chunk);
        assertThat((all - base) / (7.0 * DOCUMENTS)).isLessThan(1.0);
    }

    private static BsonValue id(KeyForm form) {
        return switch (form) {
            case INT -> new BsonInt32(7);
            case BIGINT -> new BsonInt64(Long.MAX_VALUE);
            case NUMERIC -> new BsonDouble(-1.25e-7);
            case UUID -> new BsonBinary(new UUID(1, 2));
            case TIMESTAMPTZ -> new BsonDateTime(1_600_000_000_123L);
            case TEXT -> new BsonString("text\twith \u00e9");
            case TEXT_OF_JSON -> new BsonDocument("a", new BsonInt32(1));
        };
    }

    private static byte[] input(BsonValue id) {
        RandomDocuments random = new RandomDocuments(1);
        ByteSink all = new ByteSink(1 << 20);
        for (int i = 0; i < DOCUMENTS; i++) {
            all.put(RandomDocuments.bytes(random.next().append("_id", id)));
        }
        return all.toByteArray();
    }

    private static long allocated(ThreadMXBean threads, byte[] input, CopyRows rows, ByteSink out, Chunk chunk)
            throws IOException {
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        DocumentReader reader = new DocumentReader(new InputWindow(new ByteArrayInputStream(input), "test"), 64 * 1024);
        DocumentSource.End end = DocumentSource.End.FULL;
        while (end == DocumentSource.End.FULL) {
            end = reader.fill(chunk, 0);
            out.clear();
            for (int i = 0; i < chunk.count(); i++) {
                if (!rows.append(chunk.array(), chunk.start(i), chunk.size(i), out)) {
                    throw new AssertionError(rows.reject());
                }
            }
        }
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }
}
