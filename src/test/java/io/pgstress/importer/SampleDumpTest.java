package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.importer.SampleDump.SampleShape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBinaryReader;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The made-up profile of a sample dump is one of its documents. */
final class SampleDumpTest {
    @TempDir
    private Path directory;

    private List<BsonDocument> documents(String file) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.wrap(Files.readAllBytes(directory.resolve("shop").resolve(file)));
        List<BsonDocument> all = new ArrayList<>();
        while (bytes.hasRemaining()) {
            int size = Integer.reverseBytes(bytes.getInt(bytes.position()));
            all.add(new BsonDocumentCodec()
                    .decode(
                            new BsonBinaryReader(bytes.slice(bytes.position(), size)),
                            DecoderContext.builder().build()));
            bytes.position(bytes.position() + size);
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void profileAsksForEachDocumentAndNoOther(SampleShape shape) throws IOException {
        SampleDump dump = new SampleDump("shop", "visits", shape, 3, 1, false);
        dump.write(directory);
        dump.writeProfile(directory);

        List<BsonValue> ids = documents("visits.bson").stream()
                .map(document -> document.get("_id"))
                .toList();
        List<BsonDocument> entries = documents("system.profile.bson");
        assertThat(entries).allMatch(entry -> entry.getString("ns").getValue().equals("shop.visits"));
        assertThat(entries.stream()
                        .map(entry -> entry.getDocument("command"))
                        .map(command -> command.getDocument(command.containsKey("q") ? "q" : "filter"))
                        .filter(filter -> filter.containsKey("_id"))
                        .map(filter -> filter.get("_id"))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(ids);
    }
}
