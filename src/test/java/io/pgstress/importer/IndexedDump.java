package io.pgstress.importer;

import io.pgstress.bson.BsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A dump of one collection, {@code shop.orders}, with an index of each kind, as the documentation describes it. */
final class IndexedDump {
    static final int ROWS = 3_000;

    /** 2024-01-01T00:00:00Z. */
    private static final long START = 1_704_067_200_000L;

    private static final int HOUR = 3_600_000;

    /** As a server of the versions 4.4 to 8.0 describes indexes, which the tools write as canonical Extended JSON. */
    private static final String INDEXES = """
            {"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"},
            {"v":{"$numberInt":"2"},"key":{"_id":"hashed"},"name":"_id_hashed"},
            {"v":{"$numberInt":"2"},"key":{"customer.email":{"$numberInt":"1"}},"name":"customer.email_1","unique":true},
            {"v":{"$numberInt":"2"},"key":{"status":{"$numberInt":"1"},"total":{"$numberDouble":"-1.0"}},"name":"status_1_total_-1"},
            {"v":{"$numberInt":"2"},"key":{"at":{"$numberInt":"-1"}},"name":"at_-1"},
            {"v":{"$numberInt":"2"},"key":{"coupon":{"$numberInt":"1"}},"name":"coupon_1","unique":true,"sparse":true},
            {"v":{"$numberInt":"2"},"key":{"priority":{"$numberInt":"1"}},"name":"open_priority","partialFilterExpression":
             {"status":"open","total":{"$gt":{"$numberInt":"100"}}}},
            {"v":{"$numberInt":"2"},"key":{"expires":{"$numberInt":"1"}},"name":"expires_1","expireAfterSeconds":{"$numberInt":"3600"}},
            {"v":{"$numberInt":"2"},"key":{"tags":{"$numberInt":"1"}},"name":"tags_1"},
            {"v":{"$numberInt":"2"},"key":{"items.sku":{"$numberInt":"1"},"customer.name":{"$numberInt":"1"}},"name":"items.sku_1_customer.name_1"},
            {"v":{"$numberInt":"2"},"key":{"session":"hashed"},"name":"session_hashed"},
            {"v":{"$numberInt":"2"},"key":{"_fts":"text","_ftsx":{"$numberInt":"1"}},"name":"title_text_body_text",
             "default_language":"english","language_override":"language",
             "weights":{"body":{"$numberInt":"1"},"title":{"$numberInt":"10"}},"textIndexVersion":{"$numberInt":"3"}},
            {"v":{"$numberInt":"2"},"key":{"attrs.$**":{"$numberInt":"1"}},"name":"attrs.$**_1"},
            {"v":{"$numberInt":"2"},"key":{"$**":{"$numberInt":"1"}},"name":"$**_1","wildcardProjection":
             {"customer":{"name":true},"session":true,"_id":false}},
            {"v":{"$numberInt":"2"},"key":{"place":"2dsphere"},"name":"place_2dsphere","2dsphereIndexVersion":{"$numberInt":"3"}},
            {"v":{"$numberInt":"2"},"key":{"xy":"2d"},"name":"xy_2d","bits":{"$numberInt":"26"}},
            {"v":{"$numberInt":"2"},"key":{"nick":{"$numberInt":"1"}},"name":"nick_1","collation":{"locale":"en",
             "caseLevel":false,"caseFirst":"off","strength":{"$numberInt":"2"},"numericOrdering":false,
             "alternate":"non-ignorable","maxVariable":"punct","normalization":false,"backwards":false,"version":"57.1"}},
            {"v":{"$numberInt":"2"},"key":{"total":{"$numberInt":"-1"}},"name":"hidden_total","hidden":true},
            {"v":{"$numberInt":"2"},"key":{"xy":"geoHaystack","status":{"$numberInt":"1"}},"name":"haystack","bucketSize":{"$numberDouble":"1.0"}}""";

    private IndexedDump() {}

    /** Writes the dump into a directory of its own; returns that. */
    static Path write(Path directory) throws IOException {
        Path shop = Files.createDirectories(directory.resolve("shop"));
        Files.write(shop.resolve("orders.bson"), Imports.documents(ROWS, IndexedDump::order));
        Files.writeString(shop.resolve("orders.metadata.json"), metadata("orders", INDEXES));
        return shop;
    }

    /** Metadata with these indexes. */
    static String metadata(String collection, String indexes) {
        return "{\"indexes\":[" + indexes + "],\"uuid\":\"0b6b2ff4a5ba4b3f9a4e3c9c9f6a1e77\",\"collectionName\":\""
                + collection + "\",\"type\":\"collection\"}";
    }

    private static void order(BsonWriter w, int i) {
        w.int32("_id", i);
        w.document("customer")
                .string("email", "c" + i + "@example.org")
                .string("name", "Name " + i % 700)
                .end();
        w.string("status", i % 20 == 0 ? "open" : "done").float64("total", i % 500 + 0.5);
        w.date("at", START + (long) i * HOUR + i % 3 * 250L);
        if (i % 10 == 0) {
            w.string("coupon", "C" + i);
        }
        w.date("expires", START + (long) i * HOUR);
        w.array("tags").string("0", "t" + i % 300).string("1", "all").end();
        w.array("items")
                .document("0")
                .string("sku", "s" + i % 400)
                .int32("n", 1)
                .end();
        w.document("1").string("sku", "z" + i % 900).int32("n", 2).end().end();
        w.int32("priority", i % 100);
        w.string("session", "session-" + i);
        w.string("title", i % 250 == 0 ? "Espresso machines" : "Tea").string("body", "Order number " + i);
        w.document("attrs")
                .int32("size", i % 350)
                .string("color", i % 2 == 0 ? "red" : "blue")
                .end();
        w.document("place").string("type", "Point");
        w.array("coordinates").float64("0", i % 180).float64("1", i % 90).end().end();
        w.array("xy").int32("0", i % 200).int32("1", i / 200).end();
        w.string("nick", "Nick" + i);
    }
}
