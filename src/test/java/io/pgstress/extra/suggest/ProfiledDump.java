package io.pgstress.extra.suggest;

import io.pgstress.bson.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Writes a dump of the database {@code shop}, as mongodump does, from documents in Extended JSON. */
final class ProfiledDump {
    private final Path directory;
    private int fastestMillis;
    private final List<String> profile = new ArrayList<>();

    ProfiledDump(Path root) throws IOException {
        directory = Files.createDirectories(root.resolve("shop"));
    }

    Path root() {
        return directory.getParent();
    }

    /** Orders with an ObjectId each, of 50 customers. */
    static List<String> orders(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> String.format(
                        Locale.ROOT,
                        """
                        {"_id": {"$oid": "65a0000000000000%08x"}, "customer": %d, "status": "%s", "total": %d.5,
                         "at": {"$date": "2024-01-%02dT%02d:00:00Z"}, "tags": ["t%d", "u%d"], "version": %d,
                         "items": [{"sku": "s%d", "qty": %d}, {"sku": "s%d", "qty": 1}], "big": "%s",
                         "address": {"city": "City %d", "zip": "%05d"}, "name": "Customer %d", "a'b\\"c": %d}
                        """,
                        i,
                        i % 50,
                        List.of("new", "paid", "sent").get(i % 3),
                        i % 900,
                        1 + i % 28,
                        i % 24,
                        i % 7,
                        i % 11,
                        i % 5,
                        i % 40,
                        i % 9,
                        i % 41,
                        "x".repeat(100),
                        i % 20,
                        i % 500,
                        i % 50,
                        i % 3))
                .toList();
    }

    /** Adds a collection with its metadata. */
    ProfiledDump collection(String name, List<String> documents, String metadata) throws IOException {
        Files.write(
                directory.resolve(name + ".bson"),
                Documents.concat(documents.stream().map(Documents::ofJson).toArray(byte[][]::new)));
        Files.writeString(directory.resolve(name + ".metadata.json"), metadata);
        return this;
    }

    /** The duration of the fastest of the following entries. */
    ProfiledDump slow(int millis) {
        fastestMillis = millis;
        return this;
    }

    /** Adds an entry of the profiler, {@code times} times. */
    ProfiledDump entry(int times, String op, String collection, String command, String results) {
        for (int i = 0; i < times; i++) {
            profile.add(String.format(Locale.ROOT, """
                {"op": "%s", "ns": "shop.%s", "command": %s, "keysExamined": 1, %s, "millis": %d,
                 "planSummary": "IXSCAN", "ts": {"$date": "2025-03-01T10:00:%02d.123Z"}, "client": "10.0.0.9",
                 "appName": "shop", "user": ""}
                """, op, collection, command, results, fastestMillis + i, i % 60));
        }
        return this;
    }

    /** A query with this rest of its {@code find} command, which returned 5 documents. */
    ProfiledDump find(int times, String rest) {
        return entry(
                times,
                "query",
                "orders",
                "{\"find\": \"orders\", " + rest + ", \"lsid\": {\"id\": 1}, \"$db\": \"shop\"}",
                "\"docsExamined\": 7, \"nreturned\": 5, \"queryHash\": \"A1B2C3D4\"");
    }

    /** An update that changed one document. */
    ProfiledDump update(int times, String filter, String update, boolean multi) {
        return entry(
                times,
                "update",
                "orders",
                "{\"q\": " + filter + ", \"u\": " + update + ", \"multi\": " + multi + ", \"upsert\": false}",
                "\"docsExamined\": 1, \"nMatched\": 1, \"nModified\": 1");
    }

    /** A command that returned one document. */
    ProfiledDump command(int times, String command) {
        return entry(times, "command", "orders", command, "\"docsExamined\": 40, \"nreturned\": 1");
    }

    /** Writes the profile. */
    Path write() throws IOException {
        if (!profile.isEmpty()) {
            collection("system.profile", profile, "{\"options\": {\"capped\": true}, \"indexes\": []}");
        }
        return root();
    }
}
