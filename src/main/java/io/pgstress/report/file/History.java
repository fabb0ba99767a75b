package io.pgstress.report.file;

import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Comparison;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A directory with one file per result, named so that they sort by start time. */
public final class History {
    private static final String SUFFIX = ".json";
    private static final int ID = 8;
    private static final int TEXT_COLUMNS = 6;
    private static final int MAX_OF_NAME = 60;
    private static final Pattern KEPT = Pattern.compile("\\d{8}T\\d{6}Z-.*-[0-9A-Za-z+]+\\.json");

    private final Path directory;

    public History(Path directory) {
        this.directory = directory.toAbsolutePath();
    }

    /**
     * A result and its file.
     *
     * @param isContradictory whether its figures contradict each other, so that none of them is shown
     */
    public record Entry(Path file, Result result, boolean isContradictory) {}

    public Path directory() {
        return directory;
    }

    /**
     * Ensures that results can be saved.
     *
     * @throws IOException if they cannot be; the message names the directory
     */
    public void prepare() throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new FileSystemException(directory.toString(), null, "the directory cannot be created");
        }
        if (!Files.isWritable(directory)) {
            throw new FileSystemException(directory.toString(), null, "is not writable");
        }
    }

    /** Saves a result and returns its file. */
    public Path save(Result result) throws IOException {
        prepare();
        String start = withoutFraction(result.run().startedAt()).replaceAll("[:-]", "");
        String mix = what(result).replaceAll("[^A-Za-z0-9_]+", "-");
        mix = mix.substring(0, Math.min(mix.length(), MAX_OF_NAME));
        Path file = directory.resolve(start + "-" + mix + "-" + shortId(result) + SUFFIX);
        new AtomicFile(file).write(out -> out.append(Json.write(result)));
        return file;
    }

    /** All results in the directory, oldest first; other files are ignored. */
    public List<Entry> list() throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (Path file : files()) {
            Result result;
            try {
                result = ResultFile.parsed(file);
            } catch (TextException e) {
                continue; // not one of our files
            }
            entries.add(new Entry(file, result, Contradictions.first(result).isPresent()));
        }
        return entries;
    }

    /**
     * Finds a result's file: {@code text} is a path, a prefix of a run's id or of a file name, or {@code last}.
     *
     * @throws NoSuchFileException if there is none
     */
    public Path find(String text) throws IOException {
        Path path = Path.of(text);
        if (Files.exists(path)) {
            return path;
        }
        List<Path> files = files();
        if (text.equals("last")) {
            return files.stream()
                    .filter(f -> KEPT.matcher(f.getFileName().toString()).matches())
                    .reduce((a, b) -> b)
                    .orElseThrow(() -> new NoSuchFileException(text));
        }
        List<Path> found = files.stream().filter(f -> isNamed(f, text)).toList();
        if (found.size() == 1) {
            return found.get(0);
        }
        if (found.isEmpty()) {
            throw new NoSuchFileException(text);
        }
        throw new IOException(text + ": " + found.size() + " results match in " + directory);
    }

    private static boolean isNamed(Path file, String text) {
        String name = file.getFileName().toString();
        String id = name.substring(name.lastIndexOf('-') + 1);
        String shortened = text.length() > ID ? text.substring(0, ID) : text;
        return name.startsWith(text) || id.startsWith(shortened);
    }

    /** The first characters of the run's id. */
    public static String shortId(Result result) {
        String id = result.run().id();
        return id.length() > ID ? id.substring(0, ID) : id;
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> f.getFileName().toString().endsWith(SUFFIX) && Files.isRegularFile(f))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Prints a table of results, one line each.
     *
     * @param width characters in a line
     */
    public static void print(List<Entry> entries, Appendable out, int width) throws IOException {
        Columns<RunResult> ofRun = new Columns<RunResult>()
                .add(
                        "statement",
                        run -> Objects.requireNonNullElse(run.run().workload().statement(), ""))
                .add(
                        "pool",
                        run -> Objects.requireNonNullElse(run.run().workload().pool(), ""))
                .count("clients", RunResult::clients)
                .add("ops/s", run -> run.total().opsPerSecond(), Figures::rate)
                .part(run -> run.headline(run.total()), TextTable.TIMES.only("p99 ms"))
                .count("errors", run -> run.total().failed());
        Columns<Entry> columns = new Columns<Entry>()
                .add("run", entry -> shortId(entry.result))
                .add("started", entry -> withoutFraction(entry.result.run().startedAt()))
                .add("what", entry -> what(entry.result))
                .add("table", entry -> entry.result.dataset().table())
                .part(entry -> entry.result instanceof RunResult run && !entry.isContradictory ? run : null, ofRun)
                .add("valid", entry -> entry.isContradictory ? "contradictory" : valid(entry.result));
        List<String> omitted = TextTable.of(TEXT_COLUMNS, columns, entries)
                .optional("pool", "statement", "table", "errors", "clients")
                .appendTo(out, width);
        if (!omitted.isEmpty()) {
            out.append("not shown in " + width + " columns: " + String.join(", ", omitted))
                    .append('\n');
        }
    }

    private static String withoutFraction(String moment) {
        return moment.replaceAll("\\.\\d+", "");
    }

    /** What was run, in one word: the mix, or the kind of result. */
    static String what(Result finding) {
        if (finding instanceof RunResult run) {
            return run.mix();
        }
        if (finding instanceof RateSearch) {
            return RateSearch.KIND;
        }
        if (finding instanceof Rehearsal) {
            return Rehearsal.KIND;
        }
        return finding instanceof Comparison ? Comparison.KIND : Scaling.KIND;
    }

    /** Whether a result is valid, for a cell of a table. */
    public static String valid(Result finding) {
        return switch (finding.usability()) {
            case VALID -> "yes";
            case VALID_WITH_WARNINGS -> "with warnings";
            case NOT_VALID -> "no";
        };
    }
}
