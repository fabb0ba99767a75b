package io.pgstress.cli;

import io.pgstress.target.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of one test, copied to a directory that only their owner can read, until the test has ended. */
final class WorkFiles implements AutoCloseable {
    private static final String PREFIX = "pgstress-agent-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,18})-.*");

    private final Path directory;
    private final Map<String, Path> copies = new HashMap<>();

    /**
     * @param parent where the directory is created
     * @param contents by the name in the options
     */
    WorkFiles(Path parent, Map<String, String> contents) throws IOException {
        directory = Files.createTempDirectory(
                parent, PREFIX + ProcessHandle.current().pid() + "-");
        try {
            for (Map.Entry<String, String> file : contents.entrySet()) {
                // its name says what it is, and a script's is that of its operation
                Path own = Files.createTempDirectory(directory, "");
                Path copy = own.resolve(String.valueOf(Path.of(file.getKey()).getFileName()));
                copies.put(file.getKey(), Files.writeString(copy, file.getValue()));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The copy of a file; a file that is not among the contents stays what it is. */
    String copyOf(String name) {
        return copies.getOrDefault(name, Path.of(name)).toString();
    }

    /** Deletes what agents that were killed have left. */
    static void deleteAbandoned(Path parent) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path directory : found) {
                Matcher name = NAME.matcher(directory.getFileName().toString());
                if (name.matches()
                        && Files.isWritable(directory)
                        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
                    EmbeddedServer.deleteAll(directory);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        EmbeddedServer.deleteAll(directory);
    }
}
