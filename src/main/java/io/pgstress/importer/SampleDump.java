package io.pgstress.importer;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.Elements;
import io.pgstress.bson.copy.CopyKeyText;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.DumpPass;
import io.pgstress.bson.dump.FileNames;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.dataset.SplitMix;
import io.pgstress.text.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a collection in mongodump's layout: {@code DIR/DB/COLLECTION.bson[.gz]}, its metadata beside it and {@code
 * prelude.json[.gz]} in the directory above. The same arguments give the same documents, byte by byte.
 *
 * @param shape shape of the documents
 * @param count number of documents; at most 2^31 - 1 of the small shape, whose ids are ints
 * @param gzip whether files are compressed, as {@code mongodump --gzip} does
 */
public record SampleDump(String database, String collection, SampleShape shape, long count, long seed, boolean gzip) {
    private static final int FLUSH = 1 << 16;

    /** Entries of a profile. Of each ten, some are updates and one is a search. */
    private static final int ENTRIES = 1_200;

    private static final int KINDS = 10;
    private static final int UPDATES = 2;

    /** Durations of searches are up to twice this. */
    private static final int SEARCH_MILLIS = 8;

    private static final int ID_MILLIS = 4;

    /** The profile asks for this many documents: the first ones. */
    private static final int MAX_IDS = 1_000;

    /**
     * Writes the files, replacing existing ones.
     *
     * @return bytes of BSON written, uncompressed
     * @throws InterruptedIOException if the thread is interrupted; the file is then incomplete
     */
    public long write(Path directory) throws IOException {
        Path folder = Files.createDirectories(directory.resolve(database));
        text(directory.resolve("prelude.json"), "{\"ServerVersion\":\"7.0.0\",\"ToolVersion\":\"100.10.0\"}");
        text(
                folder.resolve(FileNames.encode(collection) + ".metadata.json"),
                "{\"indexes\":[{\"v\":{\"$numberInt\":\"2\"},\"key\":{\"_id\":{\"$numberInt\":\"1\"}},\"name\":\"_id_\"}],"
                        + "\"uuid\":\"" + String.format(Locale.ROOT, "%032x", seed) + "\",\"collectionName\":"
                        + Json.writeLine(collection)
                        + ",\"type\":\"collection\"}");
        try (OutputStream out = open(folder.resolve(FileNames.encode(collection) + ".bson"))) {
            return documents(out);
        }
    }

    /**
     * Writes what MongoDB's profiler could have recorded of an application with these documents: made-up entries over a minute, which
     * ask for a document by its {@code _id}, change one, and look for those with a value of a field that has no index.
     */
    public void writeProfile(Path directory) throws IOException {
        Path folder = Files.createDirectories(directory.resolve(database));
        ByteSink sink = new ByteSink(FLUSH);
        BsonWriter writer = new BsonWriter(sink);
        SplitMix random = new SplitMix(seed, SampleShape.values().length);
        List<byte[]> ids = ids();
        for (int i = 0; i < ENTRIES; i++) {
            int kind = i % KINDS;
            boolean isUpdate = kind < UPDATES;
            boolean isSearch = kind == UPDATES;
            writer.document()
                    .string("op", isUpdate ? "update" : "query")
                    .string("ns", database + "." + collection)
                    .document("command");
            if (!isUpdate) {
                writer.string("find", collection);
            }
            writer.document(isUpdate ? "q" : "filter");
            if (isSearch) {
                writer.string(shape.searched(), "amber");
            } else {
                sink.put(ids.get(random.below(ids.size())));
            }
            writer.end();
            if (isUpdate) {
                writer.document("u")
                        .document("$set")
                        .int32(shape.changed(), random.below(1000))
                        .end()
                        .end()
                        .bool("multi", false);
            }
            writer.end()
                    .int32("docsExamined", isSearch ? (int) Math.min(count, Integer.MAX_VALUE) : 1)
                    .int32(isUpdate ? "nModified" : "nreturned", 1)
                    .int32("millis", isSearch ? SEARCH_MILLIS + random.below(SEARCH_MILLIS) : random.below(ID_MILLIS))
                    .date("ts", SampleShape.FIRST_MILLIS + 60_000L * i / ENTRIES)
                    .string("appName", "generated by pgstress")
                    .end();
        }
        try (OutputStream out = open(folder.resolve("system.profile.bson"))) {
            out.write(sink.array(), 0, sink.length());
        }
        text(folder.resolve("system.profile.metadata.json"), "{\"options\":{\"capped\":true},\"indexes\":[]}");
    }

    /** The first elements of some documents. */
    private List<byte[]> ids() {
        ByteSink sink = new ByteSink(FLUSH);
        BsonWriter writer = new BsonWriter(sink);
        SplitMix random = new SplitMix(seed, shape.ordinal());
        StringBuilder text = new StringBuilder();
        List<byte[]> ids = new ArrayList<>();
        for (long i = 0; i < Math.min(count, MAX_IDS); i++) {
            sink.clear();
            shape.write(writer, i, random, text);
            byte[] document = sink.array();
            int value = Bytes.nulAt(document, Integer.BYTES + 1, sink.length()) + 1;
            int end = Elements.end(document[Integer.BYTES], document, value, sink.length());
            ids.add(Arrays.copyOfRange(document, Integer.BYTES, end));
        }
        return ids;
    }

    /** The file with the documents. */
    public Path file(Path directory) {
        return directory.resolve(database).resolve(FileNames.encode(collection) + ".bson" + (gzip ? ".gz" : ""));
    }

    private long documents(OutputStream out) throws IOException {
        ByteSink sink = new ByteSink(2 * FLUSH);
        BsonWriter writer = new BsonWriter(sink);
        SplitMix random = new SplitMix(seed, shape.ordinal());
        StringBuilder text = new StringBuilder();
        long bytes = 0;
        for (long i = 0; i < count; i++) {
            shape.write(writer, i, random, text);
            if (sink.length() >= FLUSH || i + 1 == count) {
                out.write(sink.array(), 0, sink.length());
                bytes += sink.length();
                sink.clear();
                if (Thread.interrupted()) {
                    throw new InterruptedIOException("interrupted");
                }
            }
        }
        return bytes;
    }

    private void text(Path file, String text) throws IOException {
        try (OutputStream out = open(file)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private OutputStream open(Path file) throws IOException {
        if (!gzip) {
            return new BufferedOutputStream(Files.newOutputStream(file));
        }
        Path compressed = file.resolveSibling(file.getFileName() + ".gz");
        return new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(compressed)));
    }

    /** Writes a file of documents as the rows that an import makes of them, in COPY's text format for {@code psql \copy}. */
    public static final class CopyText extends DumpPass {

        private final CopyKeyText keys;
        private final DocumentConverter converter;
        private final OutputStream out;
        private final ByteSink sink = new ByteSink(2 * CHUNK);

        private CopyText(KeyForm form, OutputStream out) {
            JsonOptions options = JsonOptions.of(ExtendedJson.RELAXED);
            this.keys = new CopyKeyText(form, options);
            this.converter = new DocumentConverter(options);
            this.out = out;
        }

        /** Writes the rows of a {@code .bson} or {@code .bson.gz} file of valid documents whose keys have this form. */
        public static void write(Path bson, KeyForm form, Path target) throws IOException, InterruptedException {
            try (MongoDump dump = MongoDump.open(bson, DumpFilter.ALL);
                    OutputStream out = Files.newOutputStream(target)) {
                dump.read(new CopyText(form, out), CHUNK);
            }
        }

        @Override
        protected void documents(DumpCollection collection, Chunk documents) throws IOException {
            StringBuilder rows = new StringBuilder();
            for (int i = 0; i < documents.count(); i++) {
                sink.clear();
                String key = keys.of(documents.array(), documents.start(i), documents.size(i));
                if (!converter.convert(documents.array(), documents.start(i), documents.size(i), sink)) {
                    throw new IOException(
                            "document " + documents.ordinal(i) + " cannot be converted: " + converter.reject());
                }
                String json = new String(sink.array(), 0, sink.length(), StandardCharsets.UTF_8);
                rows.append(key).append('\t').append(json.replace("\\", "\\\\")).append('\n');
            }
            out.write(rows.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

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
            "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbour", "iris", "juniper", "kelp",
                    "lagoon",
            "meadow", "north", "ocean", "prairie", "quartz", "river", "stone", "tundra", "umber", "valley", "willow",
                    "yarrow",
            "zürich", "smörgås", "naïve", "東京", "café"
        };

        /** A field without an index that a query could search. */
        String searched() {
            return this == SMALL ? "u" : "status";
        }

        /** A field that an update could change. */
        String changed() {
            return this == SMALL ? "n" : "total";
        }

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
}
