package io.pgstress.bson.dump;

import java.nio.charset.StandardCharsets;

/**
 * The names in a {@code .metadata.json}; empty if missing, as in older dumps.
 *
 * @param type "view", "timeseries", or empty
 */
record Metadata(String collectionName, String uuid, String type) {
    static final Metadata NONE = new Metadata("", "", "");

    /** Reads the strings of the top-level object. Of invalid JSON it uses the part before the fault. */
    static Metadata of(byte[] json) {
        return of(new String(json, StandardCharsets.UTF_8));
    }

    static Metadata of(String json) {
        TopLevelStrings strings = new TopLevelStrings(json);
        String type = strings.get("type");
        boolean view = type.isEmpty() && strings.has("viewOn");
        return new Metadata(strings.get("collectionName"), strings.get("uuid"), view ? "view" : type);
    }
}
