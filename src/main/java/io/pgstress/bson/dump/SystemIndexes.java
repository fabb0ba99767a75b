package io.pgstress.bson.dump;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentSource;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The collection {@code system.indexes} of a database in a dump of MongoDB 2.x, which describes the indexes of the others, as
 * mongorestore reads it.
 *
 * @param json by the collection, the descriptions of its indexes as JSON, separated by commas
 */
record SystemIndexes(Map<String, String> json) {
    static final String NAME = "system.indexes";
    private static final int CHUNK = 1 << 20;

    /** Whether this is the file with these documents. */
    static boolean isAt(Path file) {
        return FileNames.base(file).equals(NAME);
    }

    /** Reads the file in a directory; without one, nothing is described. */
    static SystemIndexes in(Path directory) throws IOException {
        Map<String, String> json = new HashMap<>();
        for (Path file : FileNames.ofCollection(directory, NAME)) {
            try (DumpInput input = DumpInput.open(file)) {
                input.requireDocuments(true);
                read(input, json);
            }
        }
        return new SystemIndexes(json);
    }

    private static void read(DumpInput input, Map<String, String> json) throws IOException {
        DocumentConverter converter = new DocumentConverter(JsonOptions.of(ExtendedJson.CANONICAL));
        DocumentSource documents = input.documents(CHUNK);
        Chunk chunk = new Chunk(0);
        ByteSink sink = new ByteSink(CHUNK);
        long count = 0;
        for (boolean more = true; more; count += chunk.count()) {
            more = documents.fill(chunk, count) == DocumentSource.End.FULL;
            chunk.parse();
            for (int i = 0; i < chunk.count(); i++) {
                sink.length(0);
                if (converter.convert(chunk.array(), chunk.start(i), chunk.size(i), sink)) {
                    String index = new String(sink.array(), 0, sink.length(), StandardCharsets.UTF_8);
                    String namespace = String.valueOf(Json.readMap(index).get("ns"));
                    json.merge(namespace.substring(namespace.indexOf('.') + 1), index, (a, b) -> a + "," + b);
                }
            }
        }
    }

    /** The metadata of a collection; {@link Metadata#NONE} if no index of it is described. */
    Metadata of(String collection) {
        String indexes = json.getOrDefault(collection, "");
        return indexes.isEmpty() ? Metadata.NONE : Metadata.of("{\"indexes\":[" + indexes + "]}");
    }
}
