package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.BsonType;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The names in a {@code .metadata.json}; empty if missing, as in older dumps.
 *
 * @param options the names of the collection's options
 * @param type such as "view", "collection" and "timeseries"; empty in older dumps
 * @param json the whole text
 */
record Metadata(String collectionName, String type, List<String> options, String json) {
    /** What says nothing about the documents: the collection's identity, in dumps of 2.x its name, and whether {@code _id} has an index. */
    private static final List<String> OF_MONGODB = List.of("uuid", "create", "autoIndexId");

    /** Editors on Windows put it in front of a text. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    static final Metadata NONE = of("");

    /**
     * The limit in bytes of one collection's metadata, uncompressed. MongoDB keeps the options and indexes of a collection in one
     * document of its catalog, and mongodump's archives put this text into one.
     */
    private static final int MAX_BYTES = BsonType.MAX_DOCUMENT;

    /** Reads the names. Of invalid JSON it uses the part before the fault. */
    static Metadata of(String json) {
        Map<String, Object> fields = Json.readBeginning(json);
        List<String> options = new ArrayList<>();
        if (fields.get("options") instanceof Map<?, ?> map) {
            map.keySet().forEach(name -> options.add(String.valueOf(name)));
        }
        options.removeAll(OF_MONGODB);
        return new Metadata(string(fields, "collectionName"), string(fields, "type"), options, json);
    }

    /**
     * Whether they define a view, which has no documents of its own. {@code mongodump --viewsAsCollections} also writes the type
     * "view", without a definition, beside the documents of the view.
     */
    boolean isView() {
        return options.contains("viewOn");
    }

    private static String string(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }

    /** The metadata of a file of documents; {@link Metadata#NONE} if there are none. */
    static Metadata beside(Path documents) throws IOException {
        for (Path metadata : candidates(documents)) {
            if (Files.isRegularFile(metadata)) {
                return read(metadata);
            }
        }
        return Metadata.NONE;
    }

    /** Whether there are metadata beside the file of documents, which itself may be missing. */
    static boolean existBeside(Path documents) {
        return candidates(documents).stream().anyMatch(Files::isRegularFile);
    }

    private static List<Path> candidates(Path documents) {
        String name = FileNames.base(documents) + FileNames.METADATA;
        return FileNames.COMPRESSIONS.stream()
                .map(suffix -> documents.resolveSibling(name + suffix))
                .toList();
    }

    static Metadata read(Path path) throws IOException {
        try (DumpInput input = DumpInput.open(path)) {
            String text = new String(input.readAll(MAX_BYTES), StandardCharsets.UTF_8);
            return Metadata.of(text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text);
        } catch (BsonException e) {
            throw e;
        } catch (IOException e) {
            throw new BsonException(path.toString(), -1, "readable metadata", String.valueOf(e.getMessage()), e);
        }
    }
}
