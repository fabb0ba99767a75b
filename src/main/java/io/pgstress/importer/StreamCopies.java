package io.pgstress.importer;

import io.pgstress.plan.option.InvalidPlanException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Temporary copies of standard input and of pipes, so that they can be opened more than once. */
public final class StreamCopies implements ImportInput.Streams, AutoCloseable {
    private final Map<String, Path> copies = new LinkedHashMap<>();

    private StreamCopies() {}

    /**
     * Copies those of these paths that can be read only once.
     *
     * @throws InvalidPlanException if a path does not exist
     */
    public static StreamCopies of(List<String> paths, InputStream stdin) throws IOException {
        paths.forEach(ImportInput::requireExists);
        StreamCopies made = new StreamCopies();
        ImportInput.Streams originals = ImportInput.Streams.of(stdin);
        try {
            for (String path : paths) {
                if (ImportInput.isStream(path) && !made.copies.containsKey(path)) {
                    made.copy(path, originals.open(path));
                }
            }
        } catch (IOException e) {
            made.close();
            throw e;
        }
        return made;
    }

    private void copy(String path, InputStream original) throws IOException {
        Path copy = Files.createTempFile("pgstress-input", null);
        copy.toFile().deleteOnExit();
        copies.put(path, copy);
        Files.copy(original, copy, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public InputStream open(String path) throws IOException {
        return Files.newInputStream(copies.getOrDefault(path, Path.of(path)));
    }

    @Override
    public void close() throws IOException {
        for (Path each : copies.values()) {
            Files.deleteIfExists(each);
        }
    }
}
