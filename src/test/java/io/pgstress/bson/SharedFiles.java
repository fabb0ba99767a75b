package io.pgstress.bson;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files that only the project's developers have: in the directory of {@code -Dpgstress.shared} or PGSTRESS_SHARED, or in {@code
 * ../shared}. Tests that need missing files are skipped with a message.
 */
public final class SharedFiles {
    private SharedFiles() {}

    public static Path directory(String name) {
        String fallback = System.getenv().getOrDefault("PGSTRESS_SHARED", "../shared");
        Path path = Path.of(System.getProperty("pgstress.shared", fallback)).resolve(name);
        assumeTrue(
                Files.isDirectory(path),
                "files of the real mongodump: -Dpgstress.shared names no folder that has them");
        return path;
    }
}
