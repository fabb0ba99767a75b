package io.pgstress.extra.suggest;

import java.util.Map;

/**
 * An operation that the profiler recorded.
 *
 * @param namespace {@code database.collection}
 * @param op its kind: query, update, remove, insert, command, getmore
 * @param command the command as it was sent
 * @param application the client's name of itself; empty if unknown
 * @param millis duration in milliseconds
 * @param rows documents that it returned, changed, deleted or inserted
 * @param examined documents that the server looked at
 * @param time when it ended, ISO 8601; empty if unknown
 */
record ProfileEntry(
        String namespace,
        String op,
        Map<String, Object> command,
        String application,
        int millis,
        int rows,
        int examined,
        String time) {
    private static final String[] ROWS = {"nreturned", "nModified", "nMatched", "ndeleted", "ninserted"};

    static ProfileEntry of(Map<String, Object> document) {
        int rows = 0;
        for (String name : ROWS) {
            rows = Math.max(rows, BsonValues.whole(document.get(name)));
        }
        return new ProfileEntry(
                BsonValues.text(document.get("ns")),
                BsonValues.text(document.get("op")),
                BsonValues.map(document.get("command")),
                BsonValues.text(document.get("appName")),
                BsonValues.whole(document.get("millis")),
                rows,
                BsonValues.whole(document.get("docsExamined")),
                Dates.iso(document.get("ts")));
    }
}
