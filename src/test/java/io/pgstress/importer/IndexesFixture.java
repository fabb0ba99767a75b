package io.pgstress.importer;

import io.pgstress.bson.BsonWriter;
import io.pgstress.extra.indexes.IndexMode;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;

/** A database for imports that create indexes. */
@Slow
abstract class IndexesFixture extends ImportTestCase {
    @BeforeEach
    void createIndexes() {
        imports.indexes = IndexMode.CREATE;
    }

    static IndexResult index(CollectionSummary of, String name) {
        return of.indexes().stream()
                .filter(index -> index.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static long indexes(String table) {
        return number("select count(*) from pg_index where indisvalid and indrelid = '" + table + "'::regclass");
    }

    /** Takes the first report of how far the creation of indexes has come. */
    static ImportListener listener(CompletableFuture<String> progress) {
        return new ImportListener() {
            @Override
            public void progress(long rows, long bytesRead, long bytesTotal) {}

            @Override
            public void state(String words) {
                if (words.startsWith("creating indexes")) {
                    progress.complete(words);
                }
            }
        };
    }

    /** A dump of one collection with an index {@code field:order[,property]}. */
    Path dump(String name, String index, int count, BiConsumer<BsonWriter, Integer> document) throws IOException {
        String[] words = index.split("[:,]", -1);
        String property = words.length > 2 ? ",\"" + words[2] + "\":true" : "";
        Path dump = Files.createDirectories(directory.resolve("dump-" + name));
        Files.write(dump.resolve(name + ".bson"), Imports.documents(count, document));
        Files.writeString(
                dump.resolve(name + ".metadata.json"),
                IndexedDump.metadata(
                        name,
                        "{\"v\":2,\"key\":{\"" + words[0] + "\":" + words[1] + "},\"name\":\"" + words[0] + "_"
                                + words[1] + "\"" + property + "}"));
        return dump;
    }
}
