package io.pgstress.importer;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.dump.SeveralDumps;
import io.pgstress.plan.option.InvalidPlanException;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The input of an import: a dump, and the part of it that determines the type of {@code _id}. For a stream, which can be read
 * only once, that is its first part.
 */
public final class ImportInput implements AutoCloseable {
    private static final String STDIN = "standard input";

    private final MongoDump dump;
    private final @Nullable MongoDump sample;
    private final List<FirstPart> firstParts;

    private ImportInput(MongoDump dump, @Nullable MongoDump sample, List<FirstPart> firstParts) {
        this.dump = dump;
        this.sample = sample;
        this.firstParts = firstParts;
    }

    /** Opens what can be read only once. */
    @FunctionalInterface
    public interface Streams {
        /** Opens a pipe, or standard input if the path is {@code -}. */
        InputStream open(String path) throws IOException;

        /** The streams themselves. Each can be opened only once. */
        static Streams of(InputStream stdin) {
            return path -> path.equals("-") ? stdin : new AbandonableInput(() -> Files.newInputStream(Path.of(path)));
        }
    }

    /**
     * Opens a path, or standard input if the path is {@code -}.
     *
     * @throws InvalidPlanException if the path does not exist
     */
    public static ImportInput open(String path, InputStream stdin, DumpFilter filter) throws IOException {
        return open(path, Streams.of(stdin), filter);
    }

    private static ImportInput open(String path, Streams streams, DumpFilter filter) throws IOException {
        requireExists(path);
        return isStream(path)
                ? of(FirstPart.of(streams.open(path)), name(path), filter)
                : of(MongoDump.open(Path.of(path), filter));
    }

    /**
     * Opens a dump alone.
     *
     * @throws InvalidPlanException if the path does not exist
     */
    public static MongoDump openDump(String path, Streams streams, DumpFilter filter) throws IOException {
        requireExists(path);
        return isStream(path)
                ? MongoDump.stream(streams.open(path), name(path), filter)
                : MongoDump.open(Path.of(path), filter);
    }

    static void requireExists(String path) {
        if (!path.equals("-") && !Files.exists(Path.of(path))) {
            throw new InvalidPlanException(path + ": no such file or directory");
        }
    }

    private static String name(String path) {
        return path.equals("-") ? STDIN : path;
    }

    /** Whether a path can be read only once: a named pipe, or that of {@code <(...)} in a shell. */
    public static boolean isStream(String path) {
        return path.equals("-") || (Files.exists(Path.of(path)) && !isRereadable(Path.of(path)));
    }

    private static boolean isRereadable(Path path) {
        return Files.isRegularFile(path) || Files.isDirectory(path);
    }

    /**
     * Opens several dumps, to be imported one after the other.
     *
     * @throws InvalidPlanException if a path does not exist, or occurs twice
     */
    @SuppressWarnings("resource") // closed with this
    public static ImportInput open(List<String> paths, Streams streams, DumpFilter filter) throws IOException {
        if (paths.size() == 1) {
            return open(paths.get(0), streams, filter);
        }
        Map<String, ImportInput> parts = new LinkedHashMap<>();
        try {
            for (String path : paths) {
                if (parts.containsKey(name(path))) {
                    throw new InvalidPlanException(path + ": this dump is named twice");
                }
                parts.put(name(path), open(path, streams, filter));
            }
        } catch (IOException | InvalidPlanException e) {
            for (ImportInput each : parts.values()) {
                each.close();
            }
            throw e;
        }
        Map<String, MongoDump> dumps = new LinkedHashMap<>();
        Map<String, MongoDump> samples = new LinkedHashMap<>();
        List<FirstPart> firstParts = new ArrayList<>();
        for (Map.Entry<String, ImportInput> each : parts.entrySet()) {
            ImportInput part = each.getValue();
            dumps.put(each.getKey(), part.dump);
            if (part.sample != null) {
                samples.put(each.getKey(), part.sample);
            }
            firstParts.addAll(part.firstParts);
        }
        return new ImportInput(new SeveralDumps(dumps), new SeveralDumps(samples), firstParts);
    }

    /** The input for a dump; one that can be read only once is imported with keys of type text. */
    static ImportInput of(MongoDump dump) {
        return new ImportInput(dump, dump.rereadable() ? dump : null, List.of());
    }

    @SuppressWarnings("resource") // closed with this
    static ImportInput of(FirstPart first, String label, DumpFilter filter) throws IOException {
        try {
            MongoDump dump = MongoDump.stream(first.whole(), label, filter);
            return new ImportInput(dump, MongoDump.stream(first.open(), label, filter), List.of(first));
        } catch (IOException e) {
            first.close();
            throw e;
        }
    }

    public MongoDump dump() {
        return dump;
    }

    /** The part that determines the type of {@code _id}; null if nothing can be read before the import. */
    @Nullable
    MongoDump sample() {
        return sample;
    }

    @Override
    public void close() throws IOException {
        try (MongoDump look = sample) {
            dump.close();
        } finally {
            for (FirstPart first : firstParts) {
                first.close();
            }
        }
    }

    /**
     * The first part of a stream, buffered in memory and beyond that in a file, so that it can be read twice. It is used to find
     * the type of the keys.
     */
    static final class FirstPart implements Closeable {
        private static final int IN_MEMORY = 4 << 20;
        private static final int IN_FILE = 60 << 20;
        private static final int PIECE = 1 << 16;

        private final InputStream rest;
        private final byte[] head;
        private final @Nullable Path file;

        private FirstPart(InputStream rest, byte[] head, @Nullable Path file) {
            this.rest = rest;
            this.head = head;
            this.file = file;
        }

        /** Reads the first part, or all of a short stream. */
        static FirstPart of(InputStream in) throws IOException {
            return of(in, IN_MEMORY, IN_FILE);
        }

        static FirstPart of(InputStream in, int inMemory, int inFile) throws IOException {
            byte[] head = in.readNBytes(inMemory);
            if (head.length < inMemory) {
                return new FirstPart(in, head, null);
            }
            Path file = Files.createTempFile("pgstress-input", null);
            try (OutputStream out = Files.newOutputStream(file)) {
                int left = inFile;
                byte[] part;
                do {
                    part = in.readNBytes(Math.min(PIECE, left));
                    out.write(part);
                    left -= part.length;
                } while (part.length > 0);
            } catch (IOException e) {
                Files.deleteIfExists(file);
                throw e;
            }
            return new FirstPart(in, head, file);
        }

        /** Reads the first part again. */
        InputStream open() throws IOException {
            InputStream memory = new ByteArrayInputStream(head);
            return file == null ? memory : new SequenceInputStream(memory, Files.newInputStream(file));
        }

        /** The whole stream; may be called once. */
        InputStream whole() throws IOException {
            return new SequenceInputStream(open(), rest);
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        }
    }
}
