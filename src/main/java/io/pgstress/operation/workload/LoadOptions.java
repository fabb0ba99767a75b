package io.pgstress.operation.workload;

import static io.pgstress.plan.option.Group.WORKLOAD;

import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The options of {@code load}. */
public final class LoadOptions {
    /** When indexes are created. */
    enum IndexWhen {
        BEFORE,
        AFTER
    }

    /** A format of files, as COPY names it. */
    enum Format {
        TEXT,
        CSV
    }

    static final Option<Integer> COPY_ROWS = Option.of("copy-rows", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("10000")
            .help(WORKLOAD, "rows per COPY");

    static final Option<IndexWhen> INDEX_WHEN = Option.of("index-when", "WHEN", Forms.choice(IndexWhen.class))
            .byDefault("before")
            .help(WORKLOAD, "before or after the rows are loaded");

    /** The files and directories with rows; empty: rows are generated. */
    static final Option<List<Path>> INPUT = Option.list("input", "FILE", Forms::readable)
            .help(
                    WORKLOAD,
                    "file or directory of rows to load",
                    "Without it, rows are generated. Several files fill as many tables. It may be repeated.")
            .refusedIf(LoadOptions::tables);

    static final Option<Optional<Format>> INPUT_FORMAT = Option.optional(
                    "input-format", "FORMAT", Forms.choice(Format.class))
            .help(WORKLOAD, "text or csv, as of COPY", "The default is csv for names that end in .csv, else text.")
            .refusedIf(o -> o.isGiven(LoadOptions.INPUT_FORMAT) && !o.isGiven(INPUT) ? "needs --input" : "");

    static final Option<Boolean> CSV_HEADER = Option.flag("csv-header")
            .help(WORKLOAD, "skip the first row of each CSV file")
            .refusedIf(needsCsv(() -> LoadOptions.CSV_HEADER));

    static final Option<Character> CSV_DELIMITER = Option.of("csv-delimiter", "C", LoadOptions::character)
            .byDefault(",")
            .help(WORKLOAD, "character between fields", "\\t: tab.")
            .refusedIf(needsCsv(() -> LoadOptions.CSV_DELIMITER));

    static final Option<Character> CSV_QUOTE = Option.of("csv-quote", "C", LoadOptions::character)
            .byDefault("\"")
            .help(WORKLOAD, "character around quoted fields", "It is doubled within them.")
            .refusedIf(LoadOptions::quote);

    private LoadOptions() {}

    /**
     * The files with rows: those named, and those of the named directories by name, without hidden ones.
     *
     * @throws InvalidPlanException if a directory cannot be read or contains no file
     */
    public static List<Path> files(Options options) {
        List<Path> files = new ArrayList<>();
        for (Path named : options.get(INPUT)) {
            if (Files.isDirectory(named)) {
                files.addAll(filesIn(named));
            } else {
                files.add(named);
            }
        }
        return files;
    }

    private static List<Path> filesIn(Path directory) {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new InvalidPlanException("--input: " + directory + " cannot be read: " + Forms.unreadable(e));
        }
        if (files.isEmpty()) {
            throw new InvalidPlanException("--input: directory " + directory + " contains no files");
        }
        return files;
    }

    private static String tables(Options o) {
        if (!o.isGiven(WorkloadOptions.TABLES) || o.isWrong(WorkloadOptions.TABLES)) {
            return "";
        }
        int files = files(o).size();
        int tables = o.get(WorkloadOptions.TABLES);
        return files < 2 || files == tables
                ? ""
                : "has " + files + " files, which fill as many tables, but --tables is " + tables + "; leave it out";
    }

    private static String quote(Options o) {
        String objection = needsCsv(() -> CSV_QUOTE).apply(o);
        if (objection.isEmpty() && !o.isWrong(CSV_DELIMITER) && o.get(CSV_QUOTE).equals(o.get(CSV_DELIMITER))) {
            return "must differ from --csv-delimiter";
        }
        return objection;
    }

    private static Function<Options, String> needsCsv(Supplier<? extends Option<?>> option) {
        return o -> !o.isGiven(option.get())
                        || o.isWrong(INPUT)
                        || o.isWrong(INPUT_FORMAT)
                        || files(o).stream().anyMatch(file -> RowFormat.isCsv(file, o))
                ? ""
                : "needs a CSV file: --input FILE.csv, or --input FILE --input-format csv";
    }

    /** COPY takes only characters of one byte, and no line ends. */
    private static char character(String text) {
        if (text.equals("\\t")) {
            return '\t';
        }
        if (text.length() != 1 || text.charAt(0) <= ' ' || text.charAt(0) > '~') {
            throw new IllegalArgumentException("must be one visible ASCII character or \\t, was '" + text + "'");
        }
        return text.charAt(0);
    }
}
