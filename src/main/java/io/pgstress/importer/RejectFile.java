package io.pgstress.importer;

import io.pgstress.text.Json;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The documents that did not get into a table, as BSON that can be imported after a fix, and beside them a JSON object a
 * line that says where each was and why. Made with the first of them. Guarded by its {@link TableImport}.
 */
final class RejectFile implements Closeable {
    private final Path bson;
    private final Path json;
    private final boolean append;
    private @Nullable OutputStream documents;
    private @Nullable OutputStream reasons;

    /** @param append whether rejects of an earlier part of the import are kept */
    RejectFile(Path directory, String collection, boolean append) {
        String safe = collection.replaceAll("[^\\p{L}\\p{N}._-]", "_");
        this.bson = directory.resolve(safe + ".rejects.bson");
        this.json = directory.resolve(safe + ".rejects.json");
        this.append = append;
    }

    Path path() {
        return bson;
    }

    void add(byte[] bytes, int start, int size, long ordinal, long offset, String why) throws IOException {
        OutputStream to = documents;
        OutputStream beside = reasons;
        if (to == null || beside == null) {
            to = open(bson);
            documents = to;
            beside = open(json);
            reasons = beside;
        }
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("document", ordinal);
        line.put("offset", offset);
        line.put("reason", why);
        to.write(bytes, start, size);
        beside.write((Json.writeLine(line) + "\n").getBytes(StandardCharsets.UTF_8));
        to.flush();
        beside.flush();
    }

    private OutputStream open(Path file) throws IOException {
        StandardOpenOption mode = append ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
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
