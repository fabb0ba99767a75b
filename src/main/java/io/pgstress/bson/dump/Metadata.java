package io.pgstress.bson.dump;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The names in a {@code .metadata.json}; empty if missing, as in older dumps.
 *
 * @param options the names of the collection's options
 * @param type "view", "timeseries", or empty
 * @param json the whole text
 */
record Metadata(String collectionName, String uuid, String type, List<String> options, String json) {
    static final Metadata NONE = new Metadata("", "", "", List.of(), "");

    /** Reads the strings of the top-level object. Of invalid JSON it uses the part before the fault. */
    static Metadata of(byte[] json) {
        return of(new String(json, StandardCharsets.UTF_8));
    }

    static Metadata of(String json) {
        TopLevelStrings strings = new TopLevelStrings(json);
        String type = strings.get("type");
        boolean view = type.isEmpty() && strings.has("viewOn");
        return new Metadata(
                strings.get("collectionName"), strings.get("uuid"), view ? "view" : type, strings.options(), json);
    }
}
