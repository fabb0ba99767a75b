package io.pgstress.importer;

import io.pgstress.bson.BsonWriter;
import io.pgstress.dataset.SplitMix;
import java.util.Locale;

/** The two document shapes of the published tests. */
public enum SampleShape {
    /** 43 bytes with an int {@code _id}: a check-in of a user. */
    SMALL {
        @Override
        void write(BsonWriter writer, long number, SplitMix random, StringBuilder text) {
            text.setLength(0);
            for (int i = 0; i < SMALL_NAME; i++) {
                text.append(ALPHABET.charAt(random.below(ALPHABET.length())));
            }
            writer.document()
                    .int32("_id", Math.toIntExact(number + 1))
                    .string("u", text)
                    .int32("n", random.below(1_000_000))
                    .end();
        }
    },
    /** About 3 KiB with an ObjectId: an order with its lines, addresses and history. */
    LARGE {
        @Override
        void write(BsonWriter writer, long number, SplitMix random, StringBuilder text) {
            long created = FIRST_MILLIS + number * 1_000;
            writer.document()
                    .objectId("_id", (int) (created / 1000), random.next())
                    .date("created", created)
                    .string("status", STATUS[random.below(STATUS.length)])
                    .bool("paid", random.below(4) > 0)
                    .float64("total", random.below(1_000_000) / 100.0)
                    .int64("customer", 10_000_000_000L + random.below(5_000_000))
                    .string("note", sentence(random, text, 24));
            for (String kind : ADDRESSES) {
                writer.document(kind)
                        .string("name", sentence(random, text, 2))
                        .string("street", sentence(random, text, 3))
                        .string("zip", String.valueOf(10_000 + random.below(90_000)))
                        .array("position")
                        .float64("0", random.below(360_000) / 1000.0 - 180)
                        .float64("1", random.below(180_000) / 1000.0 - 90)
                        .end()
                        .end();
            }
            lines(writer, random, text);
            history(writer, created, random, text);
            writer.nothing("cancelled").end();
        }
    };

    private static final int SMALL_NAME = 14;
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final long FIRST_MILLIS = 1_420_070_400_000L;
    private static final int LINES = 13;
    private static final int EVENTS = 6;
    private static final String[] STATUS = {"new", "packed", "shipped", "delivered", "returned"};
    private static final String[] ADDRESSES = {"billing", "shipping"};
    private static final String[] WORDS = {
        "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbour", "iris", "juniper", "kelp", "lagoon",
        "meadow", "north", "ocean", "prairie", "quartz", "river", "stone", "tundra", "umber", "valley", "willow",
                "yarrow",
        "zürich", "smörgås", "naïve", "東京", "café"
    };

    /** Appends the document of this number, from 0. */
    abstract void write(BsonWriter writer, long number, SplitMix random, StringBuilder text);

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static void lines(BsonWriter writer, SplitMix random, StringBuilder text) {
        writer.array("lines");
        for (int i = 0; i < LINES; i++) {
            writer.document(Integer.toString(i))
                    .int32("sku", random.below(1_000_000))
                    .string("title", sentence(random, text, 5))
                    .int32("count", 1 + random.below(9))
                    .float64("price", random.below(100_000) / 100.0)
                    .array("tags")
                    .string("0", WORDS[random.below(WORDS.length)])
                    .string("1", WORDS[random.below(WORDS.length)])
                    .end()
                    .end();
        }
        writer.end();
    }

    private static void history(BsonWriter writer, long created, SplitMix random, StringBuilder text) {
        writer.array("history");
        for (int i = 0; i < EVENTS; i++) {
            writer.document(Integer.toString(i))
                    .date("at", created + i * 3_600_000L + random.below(3_600_000))
                    .string("event", STATUS[i % STATUS.length])
                    .string("by", sentence(random, text, 2))
                    .string("text", sentence(random, text, 8))
                    .end();
        }
        writer.end();
    }

    private static CharSequence sentence(SplitMix random, StringBuilder text, int words) {
        text.setLength(0);
        for (int i = 0; i < words; i++) {
            text.append(i == 0 ? "" : " ").append(WORDS[random.below(WORDS.length)]);
        }
        return text;
    }
}
