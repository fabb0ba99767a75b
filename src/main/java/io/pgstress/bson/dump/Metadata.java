package io.pgstress.bson.dump;

import java.nio.charset.StandardCharsets;

/**
 * What a {@code .metadata.json} says of names; empty where it says nothing, as older ones do.
 *
 * @param type "view", "timeseries", or empty
 */
record Metadata(String collectionName, String uuid, String type) {
    static final Metadata NONE = new Metadata("", "", "");

    /** Reads the object's own strings. Text that is not JSON gives what precedes the fault: names do not depend on the rest. */
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
