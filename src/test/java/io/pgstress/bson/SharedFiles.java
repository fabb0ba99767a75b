package io.pgstress.bson;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files that the project's developers share beside their work trees, and users do not have: found by {@code -Dpgstress.shared}, by
 * PGSTRESS_SHARED, or in {@code ../shared}. A test that wants them is skipped, with a message, where they are not.
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
