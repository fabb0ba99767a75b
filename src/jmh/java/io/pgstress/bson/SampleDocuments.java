package io.pgstress.bson;

import java.util.Random;

/** The shapes that converting is measured with, 256 documents of each, the same every time. */
public enum SampleDocuments {
    /** About 30 bytes: a number and a short string. */
    SMALL,
    /** About 3 KiB: nested documents with strings, numbers and dates, as in the published tests. */
    TYPICAL,
    /** 80 documents in one another. */
    DEEP,
    /** Strings in Cyrillic, Japanese, with typographic quotes, escapes and emoji. */
    UNICODE;

    private static final int COUNT = 256;
    private static final String[] TEXTS = {
        "\u0421\u044a\u0435\u0448\u044c \u0435\u0449\u0451 \u044d\u0442\u0438\u0445 \u043c\u044f\u0433\u043a\u0438\u0445 "
                + "\u0444\u0440\u0430\u043d\u0446\u0443\u0437\u0441\u043a\u0438\u0445 \u0431\u0443\u043b\u043e\u043a",
        "\u8272\u306f\u5302\u3078\u3069\u6563\u308a\u306c\u308b\u3092\u6211\u304c\u4e16\u8ab0\u305e\u5e38\u306a\u3089\u3080",
        "na\u00efve caf\u00e9 \u2014 \u201cquoted\u201d \"text\"\n",
        "\ud83d\ude00\ud83d\ude03\ud83d\ude04 emoji"
    };

    /** Documents of this shape. */
    public byte[][] documents() {
        byte[][] documents = new byte[COUNT][];
        for (int i = 0; i < COUNT; i++) {
            ByteSink out = new ByteSink(4_096);
            write(i, new BsonWriter(out).document());
            documents[i] = out.toByteArray();
        }
        return documents;
    }

    private void write(int i, BsonWriter writer) {
        switch (this) {
            case SMALL -> writer.int32("_id", i).string("v", "abcdef" + i % 10);
            case TYPICAL -> typical(new Random(i), writer);
            case DEEP -> deep(writer.int32("_id", i));
            case UNICODE -> unicode(i, writer.int32("_id", i));
        }
        writer.end();
    }

    private static void typical(Random random, BsonWriter writer) {
        writer.objectId("_id", random.nextInt(), random.nextLong())
                .string("name", "Customer " + random.nextInt())
                .string("email", "someone" + random.nextInt(1_000) + "@example.com")
                .int32("age", random.nextInt(90))
                .bool("active", true)
                .date("created", 1_500_000_000_000L + random.nextInt())
                .float64("balance", random.nextInt(1_000_000) / 100.0)
                .int64("visits", random.nextLong() >>> 30);
        writer.document("address")
                .string("street", random.nextInt(100) + " Some Street")
                .string("city", "Springfield")
                .document("geo")
                .float64("latitude", random.nextDouble() * 180 - 90)
                .float64("longitude", random.nextDouble() * 360 - 180)
                .end()
                .end();
        writer.array("orders");
        for (int i = 0; i < 12; i++) {
            writer.document("")
                    .int32("id", random.nextInt())
                    .string("sku", "SKU-" + random.nextInt(100_000))
                    .int32("quantity", random.nextInt(10))
                    .float64("price", random.nextInt(100_000) / 100.0)
                    .date("at", 1_600_000_000_000L + random.nextInt())
                    .string("note", "delivered to the front door, signed by the neighbour")
                    .end();
        }
        writer.end().array("tags");
        for (int i = 0; i < 10; i++) {
            writer.string("", "tag" + i);
        }
        writer.end().string("description", "Lorem ipsum dolor sit amet, consectetur elit. ".repeat(20));
    }

    private static void deep(BsonWriter writer) {
        for (int i = 0; i < 80; i++) {
            writer.int32("n", i).document("sub");
        }
        for (int i = 0; i < 80; i++) {
            writer.end();
        }
    }

    private static void unicode(int i, BsonWriter writer) {
        for (int k = 0; k < 32; k++) {
            writer.string("\u043a\u043b\u044e\u0447" + k, TEXTS[k % TEXTS.length] + i);
        }
    }
}
