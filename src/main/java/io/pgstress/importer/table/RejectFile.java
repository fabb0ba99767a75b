package io.pgstress.importer.table;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.json.IdJson;
import io.pgstress.plan.option.Forms;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The documents that were not loaded, in a file that can be imported after a fix, and a file with one line of JSON per document that
 * gives its position, its {@code _id} and the reason. Documents of BSON are in BSON, and those of JSON in JSON, one a line. Created with
 * the first reject. A resumed import keeps the complete entries of an earlier one and adds no document twice. Guarded by its {@link
 * TableImport}.
 */
public final class RejectFile implements Closeable {
    private static final String BSON = ".rejects.bson";
    private static final String TEXT = ".rejects.documents.json";
    private static final String REASONS = ".rejects.json";
    /** Longest name without the suffix; file systems allow 255 bytes in all. */
    private static final int MAX_NAME = 220;

    private static final int MAX_KEPT = 200;

    private final Path bson;
    private final Path text;
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
        this.text = file(directory, name, TEXT);
        this.json = file(directory, name, REASONS);
        if (!resume) {
            for (Path each : List.of(bson, text, json)) {
                Files.deleteIfExists(each);
            }
        } else if (Files.exists(json)) {
            if (Files.exists(text)) {
                recover(text, RejectFile::skipLine);
            } else if (Files.exists(bson)) {
                recover(bson, RejectFile::skipDocument);
            }
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
        Path read = Path.of(input);
        for (String suffix : List.of(BSON, TEXT)) {
            Path file = file(directory, name, suffix);
            if (Files.exists(file) && (append || (Files.exists(read) && Files.isSameFile(read, file)))) {
                return file
                        + " exists and holds rejects of an earlier import: move it away, or name another directory with --rejects";
            }
        }
        return "";
    }

    /** Skips a document; returns its size, or -1 if there is no complete one. */
    @FunctionalInterface
    private interface Skip {
        int document(InputStream in) throws IOException;
    }

    /** Keeps the documents that are complete in both files; a killed import may have left the last one incomplete. */
    private void recover(Path file, Skip skip) throws IOException {
        long documentsLength = 0;
        long jsonLength = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
                BufferedReader lines = Files.newBufferedReader(json)) {
            long size = Files.size(json);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int length = line.getBytes(StandardCharsets.UTF_8).length + 1;
                int document = skip.document(in);
                if (document < 0 || jsonLength + length > size) {
                    break;
                }
                Map<String, Object> entry = Json.readMap(line);
                continued = true;
                rejected.add(((Number) entry.getOrDefault("document", -1)).longValue());
                counts.merge(String.valueOf(entry.get("kind")), 1L, Long::sum);
                documentsLength += document;
                jsonLength += length;
            }
        }
        truncate(file, documentsLength);
        truncate(json, jsonLength);
    }

    private static int skipLine(InputStream in) throws IOException {
        int size = 0;
        for (int c = in.read(); c >= 0; c = in.read()) {
            size++;
            if (c == '\n') {
                return size;
            }
        }
        return -1;
    }

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

    /** Adds a document; false if an earlier part of the import rejected the one with this number. */
    public boolean add(Chunk chunk, int document, String kind, String why) throws IOException {
        if (!rejected.add(chunk.ordinal(document))) {
            return false;
        }
        try {
            write(chunk, document, kind, why);
        } catch (IOException e) {
            throw unwritable(e);
        }
        counts.merge(kind, 1L, Long::sum);
        return true;
    }

    private IOException unwritable(IOException e) {
        return new IOException(
                "rejects cannot be written to " + reasonsFile().getParent() + ": " + Forms.unreadable(e), e);
    }

    private void write(Chunk chunk, int document, String kind, String why) throws IOException {
        byte[] bytes = chunk.array();
        int start = chunk.start(document);
        int size = chunk.size(document);
        byte[] asText = chunk.text(document);
        OutputStream to = documents;
        OutputStream reasonFile = reasons;
        if (to == null || reasonFile == null) {
            to = open(asText == null ? bson : text);
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
        if (asText == null) {
            to.write(bytes, start, size);
        } else {
            to.write(line(asText));
        }
        reasonFile.write((Json.writeLine(line) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** A document on a line of its own. Its line feeds are white space, because JSON has none in strings. */
    private static byte[] line(byte[] text) {
        byte[] line = Arrays.copyOf(text, text.length + 1);
        for (int i = 0; i < text.length; i++) {
            if (line[i] == '\n' || line[i] == '\r') {
                line[i] = ' ';
            }
        }
        line[text.length] = '\n';
        return line;
    }

    /** Writes what was added to the files, the documents first; before the transaction that depends on it. */
    public void flush() throws IOException {
        if (documents != null && reasons != null) {
            try {
                documents.flush();
                reasons.flush();
            } catch (IOException e) {
                throw unwritable(e);
            }
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
