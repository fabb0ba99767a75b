package io.pgstress.importer.table;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.json.IdJson;
import io.pgstress.text.Json;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The documents that were not loaded, as BSON that can be imported after a fix, and a file with one line of JSON per document
 * that gives its position, its {@code _id} and the reason. Created with the first reject. A resumed import keeps the complete entries of an
 * earlier one and adds no document twice. Guarded by its {@link TableImport}.
 */
public final class RejectFile implements Closeable {
    private static final String BSON = ".rejects.bson";
    private static final String JSON = ".rejects.json";
    /** Longest name without the suffix; file systems allow 255 bytes in all. */
    private static final int MAX_NAME = 220;

    private static final int MAX_KEPT = 200;

    private final Path bson;
    private final Path json;
    private final Set<Long> rejected = new HashSet<>();
    private boolean continued;
    private final Map<String, Long> counts = new TreeMap<>();
    private final IdJson ids = new IdJson();
    private @Nullable OutputStream documents;
    private @Nullable OutputStream reasons;

    /** @param resume whether to keep rejects of an earlier part of the import */
    public RejectFile(Path directory, String name, boolean resume) throws IOException {
        this.bson = file(directory, name, BSON);
        this.json = file(directory, name, JSON);
        if (!resume) {
            Files.deleteIfExists(bson);
            Files.deleteIfExists(json);
        } else if (Files.exists(bson) && Files.exists(json)) {
            recover();
        }
    }

    private static Path file(Path directory, String name, String suffix) {
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
        return directory.resolve(
                (encoded.length() > MAX_NAME ? ServerName.shortened(encoded, MAX_KEPT) : encoded) + suffix);
    }

    /**
     * Finds what prevents a new file: it has rejects of an earlier import into a table that keeps its rows, or it is the input.
     *
     * @param input the path or name of the input
     * @return the problem; empty if there is none
     */
    public static String problem(Path directory, String name, String input, boolean append) throws IOException {
        Path bson = file(directory, name, BSON);
        Path read = Path.of(input);
        if (Files.exists(bson) && (append || (Files.exists(read) && Files.isSameFile(read, bson)))) {
            return bson
                    + " exists and holds rejects of an earlier import: move it away, or name another directory with --rejects";
        }
        return "";
    }

    /** Keeps the documents that are complete in both files; a killed import may have left the last one incomplete. */
    private void recover() throws IOException {
        long bsonLength = 0;
        long jsonLength = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(bson));
                BufferedReader lines = Files.newBufferedReader(json)) {
            long size = Files.size(json);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int length = line.getBytes(StandardCharsets.UTF_8).length + 1;
                int document = skipDocument(in);
                if (document < 0 || jsonLength + length > size) {
                    break;
                }
                Map<String, Object> entry = Json.readMap(line);
                continued = true;
                rejected.add(((Number) entry.getOrDefault("document", -1)).longValue());
                counts.merge(String.valueOf(entry.get("kind")), 1L, Long::sum);
                bsonLength += document;
                jsonLength += length;
            }
        }
        truncate(bson, bsonLength);
        truncate(json, jsonLength);
    }

    /** Skips a document; returns its size, or -1 if there is no complete one. */
    private static int skipDocument(InputStream in) throws IOException {
        byte[] length = in.readNBytes(Integer.BYTES);
        int size = length.length < Integer.BYTES ? 0 : Bytes.intAt(length, 0);
        if (size < BsonType.MIN_DOCUMENT) {
            return -1;
        }
        int rest = size - Integer.BYTES;
        return in.readNBytes(rest).length == rest ? size : -1;
    }

    private static void truncate(Path file, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    /** Adds a document, unless an earlier part of the import rejected the one with this number. */
    public void add(Chunk chunk, int document, String kind, String why) throws IOException {
        byte[] bytes = chunk.array();
        int start = chunk.start(document);
        int size = chunk.size(document);
        if (!rejected.add(chunk.ordinal(document))) {
            return;
        }
        OutputStream to = documents;
        OutputStream reasonFile = reasons;
        if (to == null || reasonFile == null) {
            to = open(bson);
            documents = to;
            reasonFile = open(json);
            reasons = reasonFile;
        }
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("document", chunk.ordinal(document));
        line.put("offset", chunk.offset(document));
        if (chunk.line(document) > 0) {
            line.put("line", chunk.line(document));
        }
        String id = ids.of(bytes, start, size);
        if (!id.isEmpty()) {
            line.put("_id", Json.readMap("{\"_id\":" + id + "}").get("_id"));
        }
        line.put("kind", kind);
        line.put("reason", why);
        to.write(bytes, start, size);
        reasonFile.write((Json.writeLine(line) + "\n").getBytes(StandardCharsets.UTF_8));
        counts.merge(kind, 1L, Long::sum);
    }

    /** Writes what was added to the files, the documents first; before the transaction that depends on it. */
    public void flush() throws IOException {
        if (documents != null && reasons != null) {
            documents.flush();
            reasons.flush();
        }
    }

    /** Whether this import, or an earlier part of it, rejected the document with this number. */
    boolean wasRejected(long ordinal) {
        return rejected.contains(ordinal);
    }

    /** The file with a line for each reject. */
    Path reasonsFile() {
        return json.toAbsolutePath().normalize();
    }

    /** Number of rejects by kind, including those of an earlier part of the import. */
    public Map<String, Long> counts() {
        return counts;
    }

    private OutputStream open(Path file) throws IOException {
        StandardOpenOption mode = continued ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
        return new BufferedOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, mode));
    }

    @Override
    public void close() throws IOException {
        if (documents != null) {
            documents.close();
        }
        if (reasons != null) {
            reasons.close();
        }
    }
}
