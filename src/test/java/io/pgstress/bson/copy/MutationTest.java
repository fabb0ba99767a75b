package io.pgstress.bson.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.DocumentSource;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.InputWindow;
import io.pgstress.bson.JsonTokens;
import io.pgstress.bson.Mutations;
import io.pgstress.bson.RandomDocuments;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.KeyKinds;
import io.pgstress.testing.Slow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A damaged document becomes a row with valid JSON, a reject with a position, or a {@link BsonException} of the reader, and
 * quickly. {@code -Dpgstress.mutations} sets their number, {@code -Dpgstress.seed} the seed.
 */
@Slow
@Timeout(600)
class MutationTest {
    private static final int COUNT = Integer.getInteger("pgstress.mutations", 100_000);
    private static final long SEED = Long.getLong("pgstress.seed", 20_261_121);

    private final List<byte[]> sound = new ArrayList<>();
    private final List<CopyRows> converters = new ArrayList<>();
    private final ByteSink out = new ByteSink(4_096);
    private final Chunk chunk = new Chunk(4_096);
    private final KeyFinder finder = new KeyFinder();
    private final KeyKinds kinds = new KeyKinds();
    private int rows;
    private int rejects;
    private int faults;

    @Test
    void damagedDocumentBecomesARowARejectOrAFault() {
        RandomDocuments documents = new RandomDocuments(SEED);
        for (int i = 0; i < 500; i++) {
            BsonDocument document = documents.next();
            sound.add(RandomDocuments.bytes(i % 3 == 0 ? document : document.append("_id", new BsonInt32(i))));
        }
        for (KeyForm form : KeyForm.values()) {
            converters.add(new CopyRows(form, options(form.ordinal())));
        }
        Mutations mutations = new Mutations(SEED);
        Random random = new Random(SEED);
        for (int i = 0; i < COUNT; i++) {
            byte[] damaged = mutations.of(sound.get(random.nextInt(sound.size())));
            try {
                outcome(damaged, converters.get(i % converters.size()));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("document " + i + ", seed " + SEED + ": " + Arrays.toString(damaged), e);
            }
        }
        assertThat(rows + rejects + faults).isGreaterThanOrEqualTo(COUNT);
        assertThat(List.of(rows, rejects, faults)).allMatch(count -> count > COUNT / 20);
    }

    private static JsonOptions options(int variant) {
        return new JsonOptions(
                ExtendedJson.values()[variant % 2],
                NulPolicy.values()[variant % 3],
                Utf8Policy.values()[variant / 2 % 2],
                DuplicateKeyPolicy.values()[variant / 4 % 2],
                20);
    }

    private void outcome(byte[] damaged, CopyRows converter) {
        InputWindow in = new InputWindow(new ByteArrayInputStream(damaged), "damaged", 1_024);
        DocumentReader reader = new DocumentReader(in, 4_096);
        try {
            DocumentSource.End end = DocumentSource.End.FULL;
            while (end == DocumentSource.End.FULL) {
                end = reader.fill(chunk, 0);
                for (int i = 0; i < chunk.count(); i++) {
                    convert(chunk.start(i), chunk.size(i), converter);
                }
            }
            rows += damaged.length == 0 ? 1 : 0;
        } catch (BsonException e) {
            faults++;
            assertThat(e.offset()).isBetween(0L, (long) damaged.length);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void convert(int start, int size, CopyRows converter) {
        out.clear();
        finder.see(chunk.array(), start, size, kinds);
        if (converter.append(chunk.array(), start, size, out)) {
            rows++;
            int key = Integer.reverseBytes(Bytes.intAt(out.array(), 2));
            int data = 2 + 4 + key + 4 + 1;
            JsonTokens.of(Arrays.copyOfRange(out.array(), data, out.length()));
        } else {
            rejects++;
            Reject reject = Objects.requireNonNull(converter.reject());
            assertThat(reject.offset()).isBetween(0, size);
            assertThat(out.length()).isZero();
        }
    }
}
