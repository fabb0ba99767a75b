package io.pgstress.bson.dump;

import io.pgstress.bson.timeseries.TimeSeries;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names in a {@code .metadata.json}; empty if missing, as in older dumps.
 *
 * @param options the names of the collection's options
 * @param type "view", "timeseries", or empty
 * @param json the whole text
 * @param timeSeries the fields of a time series; null if it is none, or if they are not named
 */
record Metadata(
        String collectionName,
        String uuid,
        String type,
        List<String> options,
        String json,
        @Nullable TimeSeries timeSeries) {
    static final Metadata NONE = new Metadata("", "", "", List.of(), "", null);

    /** Reads the strings of the top-level object. Of invalid JSON it uses the part before the fault. */
    static Metadata of(byte[] json) {
        return of(new String(json, StandardCharsets.UTF_8));
    }

    static Metadata of(String json) {
        TopLevelStrings strings = new TopLevelStrings(json);
        String type = strings.get("type");
        boolean view = type.isEmpty() && strings.has("viewOn");
        return new Metadata(
                strings.get("collectionName"),
                strings.get("uuid"),
                view ? "view" : type,
                strings.options(),
                json,
                timeSeries(strings));
    }

    private static @Nullable TimeSeries timeSeries(TopLevelStrings strings) {
        String timeField = strings.timeSeries("timeField");
        return timeField.isEmpty() ? null : new TimeSeries(timeField, strings.timeSeries("metaField"));
    }

    /** The same with this type. */
    Metadata withType(String otherType) {
        return new Metadata(collectionName, uuid, otherType, options, json, timeSeries);
    }
}
