package io.pgstress.extra.oplog;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.importer.ImportOptions;
import io.pgstress.importer.Replay;
import io.pgstress.importer.table.Progress.InputMark;
import io.pgstress.importer.table.ProgressTables;
import io.pgstress.importer.table.TableNames;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.dialect.Dialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An oplog that is to be replayed, and what is applied of it.
 *
 * @param path the dump, or the oplog's own file
 * @param names the names that an oplog may have there
 * @param collection the oplog in it
 * @param filter the collections that operations are applied to
 * @param limit only entries before this time are applied, seconds in the upper half and a counter in the lower; 0 for all
 */
public record Oplog(Path path, DumpFilter names, DumpCollection collection, DumpFilter filter, long limit)
        implements Replay.Source {
    /** For a single file, the name that it is given. */
    private static final DumpFilter NAME = new DumpFilter(List.of(), List.of("oplog"), false);

    private static final DumpFilter NAMES = new DumpFilter(List.of(), List.of("oplog", "oplog.rs"), false);

    /**
     * Finds the oplog of a dump: {@code oplog.bson}, an archive's oplog, or {@code local/oplog.rs.bson}.
     *
     * @param dump the path of the dump
     * @param file the oplog's own file; null to look for it in the dump
     * @throws InvalidPlanException if there is none
     */
    public static Oplog find(String dump, @Nullable Path file, DumpFilter filter, long limit) throws IOException {
        if (file != null) {
            return ofFile(file, filter, limit);
        }
        if (dump.equals("-")) {
            throw new InvalidPlanException("--oplog-replay: standard input can be read only once; save the archive to a"
                    + " file, or name the oplog's file with --oplog-file");
        }
        Path path = Path.of(dump);
        if (!Files.exists(path)) {
            throw new InvalidPlanException(dump + ": no such file or directory");
        }
        try (MongoDump found = MongoDump.open(path, NAMES)) {
            for (String name : DumpFilter.OPLOGS) {
                for (DumpCollection each : found.collections()) {
                    if (each.namespace().equals(name)) {
                        return new Oplog(path, NAMES, each, filter, limit);
                    }
                }
            }
        }
        throw new InvalidPlanException("--oplog-replay: there is no oplog in " + dump
                + " (oplog.bson, which mongodump --oplog writes, or local/oplog.rs.bson): name its file with"
                + " --oplog-file");
    }

    private static Oplog ofFile(Path file, DumpFilter filter, long limit) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new InvalidPlanException("--oplog-file " + file + ": there is no such file");
        }
        try (MongoDump found = MongoDump.open(file, NAME)) {
            List<DumpCollection> collections = found.collections();
            DumpCollection oplog = collections.stream()
                    .filter(each -> each.namespace().equals("oplog"))
                    .findFirst()
                    .or(() -> collections.stream().findFirst())
                    .orElseThrow(() ->
                            new InvalidPlanException("--oplog-file " + file + ": there is no oplog in this archive"));
            return new Oplog(file, NAME, oplog, filter, limit);
        }
    }

    @Override
    public String namespaceInDump() {
        return names.equals(NAMES) ? collection.namespace() : "";
    }

    @Override
    public Replay open(
            Connection connection,
            Dialect dialect,
            ImportOptions options,
            ProgressTables progressTables,
            TableNames names,
            MongoDump dump,
            Consumer<String> state)
            throws SQLException, IOException, InterruptedException {
        return new OplogReplay(this, connection, dialect, options, progressTables, names, dump, state);
    }

    /** By what a resumed replay recognizes it. */
    InputMark mark() throws IOException {
        return InputMark.of(collection);
    }

    /** Opens the input that the oplog is in. */
    MongoDump open() throws IOException {
        return MongoDump.open(path, names);
    }

    /**
     * Whether and what to replay.
     *
     * @param replay whether to replay an oplog
     * @param file the oplog's own file; null for the dump's oplog
     * @param limit see {@link Oplog}
     */
    public record OplogRequest(boolean replay, @Nullable Path file, long limit) {
        private static final Pattern LIMIT = Pattern.compile("(\\d{1,10})(?::(\\d{0,10}))?");
        private static final long MAX = 0xffff_ffffL;

        /** The oplog to replay; null if none is wanted. */
        public @Nullable Oplog find(List<String> dumps, DumpFilter filter) throws IOException {
            if (replay && file == null && dumps.size() > 1) {
                throw new InvalidPlanException(
                        "--oplog-replay: of several dumps, the oplog to replay must be named with --oplog-file");
            }
            return replay ? Oplog.find(dumps.get(0), file, filter, limit) : null;
        }

        /**
         * Reads {@code seconds[:counter]}, as for mongorestore's {@code --oplogLimit}.
         *
         * @throws IllegalArgumentException if the text is not of this form
         */
        public static long limit(String text) {
            Matcher parts = LIMIT.matcher(text);
            if (parts.matches()) {
                String counter = parts.group(2);
                long seconds = Long.parseLong(parts.group(1));
                long ordinal = counter == null || counter.isEmpty() ? 0 : Long.parseLong(counter);
                if (seconds > 0 && seconds <= MAX && ordinal <= MAX) {
                    return seconds << Integer.SIZE | ordinal;
                }
            }
            throw new IllegalArgumentException(
                    "must be SECONDS[:COUNTER], seconds since 1970 such as 1700000000:1, was '" + text + "'");
        }
    }
}
