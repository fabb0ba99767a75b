package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.Habit;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.WriteTallies.WriteTally;
import io.pgstress.operation.workload.RowFormat.RecordEnds;
import io.pgstress.operation.workload.TableLoad.LoadRows;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Tables.NodeBytes;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.CopyPortions;
import io.pgstress.text.Rounded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * {@code load}: fills tables in sysbench's format by parallel COPYs, once. The run ends with the last row, or with the
 * last index if indexes are created afterwards: the client with a table's last COPY creates them in the same operation.
 */
public final class TableLoad implements Operation {
    public static final OperationType TYPE = OperationType.of(
                    "load", "loads sysbench's tables with parallel COPYs", TableLoad::new)
            .selfContained(name(1))
            .with(Trait.FINITE)
            .with(WorkloadOptions.withCreation(
                    WorkloadOptions.TABLES,
                    WorkloadOptions.TABLE_ROWS,
                    WorkloadOptions.ROW_BYTES,
                    WorkloadOptions.INDEXES,
                    LoadOptions.COPY_ROWS,
                    LoadOptions.INDEX_WHEN,
                    LoadOptions.INPUT,
                    LoadOptions.INPUT_FORMAT,
                    LoadOptions.CSV_HEADER,
                    LoadOptions.CSV_DELIMITER,
                    LoadOptions.CSV_QUOTE,
                    RunOptions.NO_RESET));

    private final Options options;
    private final int count;
    private final OperationType.Context context;
    /** The length of column c: sysbench's, unless the size of a row is requested. */
    private final int cGroups;
    /** One for each table, or one for all; empty: rows are generated. */
    private final List<RowFile> files;

    private final LoadPlan plan;
    private final WriteTallies tallies;
    private final LongAdder inputBytes = new LongAdder();

    private TableLoad(OperationType.Context context) {
        this.options = context.options();
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION), options.get(LoadOptions.COPY_ROWS));
        this.files = open(options);
        this.count = Math.max(files.size(), options.get(WorkloadOptions.TABLES));
        this.context = context;
        this.cGroups = options.isGiven(WorkloadOptions.ROW_BYTES)
                ? SysbenchRows.cGroups(options.get(WorkloadOptions.ROW_BYTES))
                : SysbenchRows.C_GROUPS;
        this.plan = new LoadPlan(IntStream.range(0, count).map(this::copies).toArray());
    }

    /** @param number the table, from 1 */
    private static String name(int number) {
        return "pgstress_load_" + number;
    }

    /** Whether the rows of a file cause errors with this SQLSTATE, and not the session, the server or its tables. */
    public static boolean refusesRows(String sqlState) {
        return FileRows.RefusedRows.CLASSES.contains(sqlState.substring(0, 2));
    }

    private static List<RowFile> open(Options options) {
        List<RowFile> files = new ArrayList<>();
        try {
            for (Path file : LoadOptions.files(options)) {
                files.add(new RowFile(file, RowFormat.of(file, options), options.get(LoadOptions.COPY_ROWS)));
            }
        } catch (InvalidPlanException e) {
            files.forEach(RowFile::close);
            throw e;
        }
        return List.copyOf(files);
    }

    private int copies(int table) {
        return files.isEmpty()
                ? GeneratedRows.copies(options.get(WorkloadOptions.TABLE_ROWS), options.get(LoadOptions.COPY_ROWS))
                : file(table).copies();
    }

    /** @param table from 0 */
    private RowFile file(int table) {
        return files.get(files.size() == 1 ? 0 : table);
    }

    /** One COPY per table, followed by each table's indexes if they are created afterwards. */
    @Override
    public List<Sql> statements(int client) {
        List<Sql> statements = new ArrayList<>();
        for (int t = 1; t <= count; t++) {
            String how = files.isEmpty() ? "" : file(t - 1).format().copyOptions();
            statements.add(
                    new Sql(named("copy", t), "copy " + name(t) + " " + SysbenchRows.NAMES + " from stdin" + how));
        }
        for (int t = 1; t <= count; t++) {
            for (String sql : indexesAfter(t)) {
                statements.add(new Sql(named(sql.startsWith("alter") ? "primary_key" : "index_k", t), sql));
            }
        }
        return statements;
    }

    private String named(String name, int table) {
        return count == 1 ? name : name + "_" + table;
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT
                .claiming(TYPE.ownTable())
                .when(WhenUsedUp.CONTINUE)
                .with(Habit.DEFINES_TABLES, !indexesAfter(1).isEmpty())
                .withRowBytes(rowBytes());
    }

    private double rowBytes() {
        if (files.isEmpty()) {
            return GeneratedRows.rowBytes(options.get(WorkloadOptions.TABLE_ROWS), cGroups);
        }
        double bytes = 0;
        double rows = 0;
        for (RowFile file : files) {
            bytes += file.size() - file.begin();
            rows += (file.size() - file.begin()) / file.meanRowBytes();
        }
        return bytes / rows;
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        for (int t = 1; t <= count; t++) {
            own.drop(name(t));
            boolean isNew = own.create(name(t), SysbenchRows.columns(cGroups), "id", t);
            if (isNew
                    && options.get(LoadOptions.INDEX_WHEN) == LoadOptions.IndexWhen.BEFORE
                    && options.get(WorkloadOptions.INDEXES) != WorkloadOptions.Indexes.NONE) {
                own.execute(indexes(t).toArray(String[]::new));
            }
        }
    }

    @Override
    public void rewind() {
        plan.again();
        tallies.reset();
        inputBytes.reset();
    }

    @Override
    public List<TableCheck> checks() {
        return TableCheck.of(this::check, tallies);
    }

    @Override
    public void close() {
        files.forEach(RowFile::close);
    }

    /** The statements that create a table's indexes after its rows are loaded. */
    private List<String> indexesAfter(int number) {
        return options.get(LoadOptions.INDEX_WHEN) == LoadOptions.IndexWhen.AFTER ? indexes(number) : List.of();
    }

    /** Constraints and indexes have names because Citus before 11.2 cannot create unnamed keys, or older versions indexes. */
    private List<String> indexes(int number) {
        String key = "alter table " + name(number) + " add constraint " + name(number) + "_pkey primary key (id)";
        return switch (options.get(WorkloadOptions.INDEXES)) {
            case NONE -> List.of();
            case PRIMARY -> List.of(key);
            case ALL -> List.of(key, "create index " + name(number) + "_k_idx on " + name(number) + " (k)");
        };
    }

    private List<Remark> check(Connection control) throws SQLException {
        List<Remark> found = new ArrayList<>();
        OwnTables own = new OwnTables(control, context);
        long[] rows = new long[count];
        for (int t = 0; t < count; t++) {
            rows[t] = own.number("select count(*) from " + name(t + 1));
        }
        long there = LongStream.of(rows).sum();
        found.addAll(tallies.compare("rows of load, count(*)", there));
        lacking(there).ifPresent(found::add);
        found.addAll(sizes(control, own, inputBytes.sum()));
        for (int t = 0; t < count && files.size() > 1; t++) {
            found.add(ofFile(t, rows[t]));
        }
        return found;
    }

    private Remark ofFile(int table, long rows) {
        return RemarkCode.FILE_LOADED
                .with("file", file(table).name())
                .with("rows", rows)
                .with("table", name(table + 1))
                .with("megabytes", file(table).size() / 1e6)
                .remark();
    }

    /** The tables' sizes, in total and per node, as a multiple of the input; empty if there was no input. */
    private List<Remark> sizes(Connection control, OwnTables own, long input) throws SQLException {
        if (input == 0) {
            return List.of();
        }
        Dialect dialect = context.dialect();
        long total = 0;
        long indexes = 0;
        Map<String, NodeBytes> nodes = new TreeMap<>();
        for (int t = 1; t <= count; t++) {
            TableName table = new TableName("", name(t));
            total += own.number(dialect.tables().totalBytes(table));
            indexes += own.number(dialect.tables().indexBytes(table));
            for (NodeBytes n : dialect.tables().bytesByNode(control, table)) {
                nodes.merge(
                        n.node(),
                        n,
                        (a, b) -> new NodeBytes(a.node(), a.table() + b.table(), a.indexes() + b.indexes()));
            }
        }
        List<Remark> found = new ArrayList<>();
        found.add(size("size", total - indexes, indexes, input));
        nodes.values().forEach(n -> found.add(size("on " + n.node(), n.table(), n.indexes(), input)));
        return found;
    }

    private static Remark size(String where, long table, long indexes, long input) {
        return RemarkCode.TABLE_SIZES
                .with("where", where)
                .with("tablesMegabytes", table / 1e6)
                .with("indexesMegabytes", indexes / 1e6)
                .with("inputMegabytes", input / 1e6)
                .with("tablesRatio", (double) table / input)
                .with("ratio", (double) (table + indexes) / input)
                .remark();
    }

    /** What is missing; empty if nothing is. */
    private Optional<Remark> lacking(long there) {
        if (plan.missing() > 0) {
            return Optional.of(RemarkCode.COPIES_MISSING
                    .with("missing", plan.missing())
                    .with("copies", plan.all())
                    .remark());
        }
        long rows = files.isEmpty() ? (long) count * options.get(WorkloadOptions.TABLE_ROWS) : 0;
        if (there < rows) {
            return Optional.of(RemarkCode.LOAD_ROWS_MISSING
                    .with("missing", rows - there)
                    .with("rows", rows)
                    .remark());
        }
        int unindexed = indexesAfter(1).isEmpty() ? 0 : plan.unindexed();
        return unindexed == 0
                ? Optional.empty()
                : Optional.of(RemarkCode.INDEXES_MISSING
                        .with("missing", unindexed)
                        .with("tables", count)
                        .remark());
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        LoadRows rows = files.isEmpty()
                ? new GeneratedRows(
                        options.get(WorkloadOptions.TABLE_ROWS),
                        options.get(LoadOptions.COPY_ROWS),
                        seat.random(),
                        cGroups)
                : new FileRows(files);
        return new LoadClient(
                plan,
                rows,
                seat.statements(statements(0).size()),
                count,
                indexesAfter(1).size(),
                tallies.forClient(),
                inputBytes);
    }

    /** One client of a load. Not thread-safe. */
    static final class LoadClient extends TalliedClient implements CopyPortions {
        private final LoadPlan plan;
        private final LoadRows rows;
        private final SqlStatement[] statements;
        private final int tables;
        private final int indexes;
        private final LongAdder inputBytes;
        private long drawn = -1;
        private boolean isIn;
        private boolean isLast;
        private int made;
        private long taken;
        private long sentBytes;

        /** @param indexes statements that create each table's indexes once it is full */
        LoadClient(
                LoadPlan plan,
                LoadRows rows,
                SqlStatement[] statements,
                int tables,
                int indexes,
                WriteTally tally,
                LongAdder inputBytes) {
            super(tally, 0);
            this.plan = plan;
            this.rows = rows;
            this.statements = statements;
            this.tables = tables;
            this.indexes = indexes;
            this.inputBytes = inputBytes;
        }

        @Override
        public boolean draw() {
            drawn = plan.draw();
            isIn = false;
            return drawn >= 0;
        }

        @Override
        public boolean isDone() {
            return true;
        }

        @Override
        public Ending execute() throws SQLException {
            int table = plan.table(drawn);
            if (!isIn) {
                copy();
                isIn = true;
                inputBytes.add(sentBytes);
                isLast = plan.loaded(table) && plan.takeIndexes(table);
                made = 0;
            }
            if (isLast) {
                index(table);
            }
            return Ending.OK;
        }

        private void copy() throws SQLException {
            try {
                rows.begin(plan.table(drawn), plan.copy(drawn));
                taken = sendNoted(0); // how many rows of a file a COPY has is unknown until the server has counted them
            } catch (SQLException e) {
                throw rows.placed(e, false);
            }
        }

        private void index(int table) throws SQLException {
            try {
                for (; made < indexes; made++) {
                    statements[tables + table * indexes + made].update();
                }
                plan.indexed(table);
            } catch (SQLException e) {
                if (isInTransaction()) {
                    failed(e);
                    undo();
                }
                throw rows.placed(e, true);
            }
        }

        /** The COPY and the indexes were rolled back with their transaction. */
        private void undo() {
            if (isLast) {
                plan.notIndexed(plan.table(drawn));
            }
            plan.notLoaded(plan.table(drawn));
            inputBytes.add(-sentBytes);
            isIn = false;
        }

        @Override
        protected long send() throws SQLException {
            sentBytes = 0;
            return statements[plan.table(drawn)].copy(this);
        }

        @Override
        public int next() throws SQLException {
            int length = rows.next();
            sentBytes += length;
            return length;
        }

        @Override
        public byte[] bytes() {
            return rows.bytes();
        }

        @Override
        public void notCommitted(SQLException e) {
            super.notCommitted(e);
            undo();
        }

        @Override
        public long rows() {
            return taken;
        }
    }

    /** Hands out COPYs to clients and tracks when a table is complete. Thread-safe. */
    static final class LoadPlan {
        private static final int UNCLAIMED = 0;
        private static final int TAKEN = 1;
        private static final int MADE = 2;

        private final int tables;
        private final int[] copies;
        private final long draws;
        private final AtomicLong next = new AtomicLong();
        private final AtomicIntegerArray missing;
        /** By table: whether its indexes are unclaimed, claimed by a client, or built. */
        private final AtomicIntegerArray indexes;

        /** @param copies number of COPYs by table */
        LoadPlan(int... copies) {
            this.tables = copies.length;
            this.copies = copies.clone();
            this.draws = (long) tables * IntStream.of(copies).max().orElse(0);
            this.missing = new AtomicIntegerArray(tables);
            this.indexes = new AtomicIntegerArray(tables);
            again();
        }

        /** Nothing is loaded; called while all clients are paused. */
        void again() {
            next.set(0);
            for (int t = 0; t < tables; t++) {
                missing.set(t, copies[t]);
                indexes.set(t, UNCLAIMED);
            }
        }

        /** The number of a COPY that no client has taken: the tables take turns; -1 if none is left. */
        long draw() {
            long drawn = next.getAndIncrement();
            while (drawn < draws && copy(drawn) >= copies[table(drawn)]) { // this table has fewer COPYs than others
                drawn = next.getAndIncrement();
            }
            return drawn < draws ? drawn : -1;
        }

        int table(long drawn) {
            return (int) (drawn % tables);
        }

        int copy(long drawn) {
            return (int) (drawn / tables);
        }

        /** Records a finished COPY of the table; returns whether it was the last. */
        boolean loaded(int table) {
            return missing.decrementAndGet(table) == 0;
        }

        /** Takes back a recorded COPY that was rolled back. */
        void notLoaded(int table) {
            missing.incrementAndGet(table);
        }

        /** Claims the table's indexes; whether the caller is to build them, as no other client has or is about to. */
        boolean takeIndexes(int table) {
            return indexes.compareAndSet(table, UNCLAIMED, TAKEN);
        }

        void indexed(int table) {
            indexes.set(table, MADE);
        }

        /** Gives back the table's indexes, which were not created or were rolled back. */
        void notIndexed(int table) {
            indexes.set(table, UNCLAIMED);
        }

        /** Number of tables without indexes recorded by {@link #indexed}. */
        int unindexed() {
            return (int) IntStream.range(0, tables)
                    .filter(t -> indexes.get(t) != MADE)
                    .count();
        }

        /** Number of COPYs not yet loaded. */
        long missing() {
            return IntStream.range(0, tables).mapToLong(missing::get).sum();
        }

        long all() {
            return IntStream.of(copies).asLongStream().sum();
        }
    }

    /** Generated sysbench rows with ids from 1. Belongs to its client's thread. */
    static final class GeneratedRows implements LoadRows {
        /** The bytes of a portion, if a row is not longer. */
        private static final int PORTION_BYTES = 300 * SysbenchRows.MAX_BYTES;

        private final int rows;
        private final int copyRows;
        private final SysbenchRows made;
        private final int portion;
        private final byte[] bytes;
        private long next;
        private long end;

        /**
         * @param rows number of rows of the table
         * @param cGroups the length of column c, see {@link SysbenchRows}
         */
        GeneratedRows(int rows, int copyRows, SplitMix random, int cGroups) {
            this.rows = rows;
            this.copyRows = copyRows;
            this.made = new SysbenchRows(random, rows, cGroups);
            this.portion = Math.max(1, PORTION_BYTES / SysbenchRows.maxBytes(cGroups));
            this.bytes = new byte[portion * SysbenchRows.maxBytes(cGroups)];
        }

        /** Number of COPYs. */
        static int copies(int rows, int copyRows) {
            return (int) (((long) rows + copyRows - 1) / copyRows);
        }

        /** Mean length of a row in bytes: id and k have as many digits as the numbers 1 to rows. */
        static double rowBytes(int rows, int cGroups) {
            double digits = 0;
            for (long from = 1; from <= rows; from *= 10) {
                digits += rows - from + 1;
            }
            return 2 * digits / rows + SysbenchRows.maxBytes(cGroups) - 20;
        }

        @Override
        public void begin(int table, int copy) {
            next = (long) copy * copyRows + 1;
            end = Math.min(rows, next + copyRows - 1);
        }

        @Override
        public int next() {
            int at = 0;
            for (int r = 0; r < portion && next <= end; r++) {
                at = made.write((int) next++, bytes, at);
            }
            return at;
        }

        @Override
        public byte[] bytes() {
            return bytes;
        }
    }

    /** The rows of one client's COPYs, one COPY after another. Belongs to its client's thread. */
    interface LoadRows extends CopyPortions {
        /**
         * Moves to the first row of a COPY.
         *
         * @param table the table, from 0
         * @param copy the COPY's number within the table, from 0
         */
        void begin(int table, int copy);

        /**
         * Adds the position in the input to an error caused by rows.
         *
         * @param ofIndexes whether creating indexes failed, not the COPY
         */
        default SQLException placed(SQLException e, boolean ofIndexes) {
            return e;
        }
    }

    /** The rows that one client sends from files. */
    static final class FileRows implements LoadRows {
        private final List<RowFile> files;
        private final byte[] bytes = new byte[RowFile.PORTION];
        private final EndMark mark = new EndMark();
        private RowFile file;
        private long marked;
        private long start;
        private long at;
        private long end;

        /** @param files one for each table, or one for all tables */
        FileRows(List<RowFile> files) {
            this.files = files;
            this.file = files.get(0);
        }

        @Override
        public void begin(int table, int copy) {
            file = files.get(files.size() == 1 ? 0 : table);
            try {
                start = file.startOf(copy, bytes);
                end = file.startOf(copy + 1, bytes);
                at = start;
                marked = 0;
                mark.begin(file.format());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public int next() throws SQLException {
            if (at >= end) {
                return 0;
            }
            try {
                int length = (int) Math.min(file.read(bytes, at), end - at);
                int behind = mark.endIn(bytes, length);
                if (behind >= 0 && at + behind < file.size()) {
                    marked = at + behind;
                    throw new SQLException(
                            "a line \\. ends the data of COPY: no row after it would be loaded", "22P04");
                }
                at += length;
                return length;
            } catch (IOException e) {
                throw new SQLException("the input cannot be read: " + e, "58030", e);
            }
        }

        @Override
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public SQLException placed(SQLException e, boolean ofIndexes) {
            if (marked == 0 && !RefusedRows.areToBlame(e)) {
                return e;
            }
            try {
                return ofIndexes ? placed(e, file.begin(), file.size()) : placed(e, start, end);
            } catch (IOException unreadable) {
                e.addSuppressed(unreadable);
                return e;
            }
        }

        private SQLException placed(SQLException e, long from, long to) throws IOException {
            if (marked > 0) {
                return RefusedRows.withLine(e, file.name(), file.lines(0, marked));
            }
            long before = file.lines(0, from);
            long count = RefusedRows.line(e);
            long line = count == 0 ? 0 : file.lineOfServer(count, from, to);
            String key = RefusedRows.key(e);
            if (line == 0 && !key.isEmpty()) {
                line = file.lastLineOf(key, from, to);
            }
            return line > 0
                    ? RefusedRows.withLine(e, file.name(), before + line)
                    : RefusedRows.withLine(e, file.name(), before + 1, before + file.lines(from, to));
        }

        /**
         * Finds the line {@code \.}, which ends the data of COPY: servers silently ignore everything after it (in CSV before
         * PostgreSQL 18). Within quotes, it is data. Scans the bytes of a COPY portion by portion, from the start of a row. Not
         * thread-safe.
         */
        static final class EndMark {
            /** State within a row: -1 in any other row, else the number of matched bytes of the mark. */
            private static final int NO_MARK = -1;

            private static final int WHOLE = 2;

            private RecordEnds ends = RowFormat.TEXT.ends();
            private int found;

            /** Resets the state for a new COPY. */
            void begin(RowFormat format) {
                ends = format.ends();
                found = 0;
            }

            /** The offset in these bytes at which the end mark's line ends; -1 if there is none. */
            int endIn(byte[] bytes, int length) {
                for (int i = 0; i < length; i++) {
                    byte next = bytes[i];
                    if (ends.endsAt(next)) {
                        if (found == WHOLE) {
                            return i + 1;
                        }
                        found = 0;
                    } else if (found != NO_MARK && !(found == WHOLE && next == '\r')) {
                        found = found < WHOLE && next == (found == 0 ? '\\' : '.') ? found + 1 : NO_MARK;
                    }
                }
                return -1;
            }
        }

        /** Interprets a server's errors about rows of a file. Stateless. */
        static final class RefusedRows {
            /** SQLSTATE classes: data, constraint, check option, raised by a function, and internal (Citus, for errors of a worker). */
            static final Set<String> CLASSES = Set.of("22", "23", "44", "P0", "XX");

            /** Works in any language, because it relies only on word order; line numbers of a shard are not those of the file. */
            private static final Pattern LINE =
                    Pattern.compile("^COPY pgstress_load_\\d+, \\S+ (\\d+)(?:, \\S+ (\\w+):)?");

            private static final Pattern KEY = Pattern.compile("\\(id\\)=\\((-?\\d+)\\)");

            private RefusedRows() {}

            /** Whether the rows caused the error, not the session, the server or its tables. */
            static boolean areToBlame(SQLException e) {
                return ServerErrors.sessionIsAlive(e) && refusesRows(ServerErrors.stateOf(e));
            }

            /** The line within the COPY, from 1; 0 if the server does not report it. */
            static long line(SQLException e) {
                Matcher line = LINE.matcher(ServerErrors.whereOf(e));
                return line.find() ? Long.parseLong(line.group(1)) : 0;
            }

            /** The duplicate id; empty if the error is not a duplicate key. */
            static String key(SQLException e) {
                Matcher key = KEY.matcher(ServerErrors.detailOf(e));
                return key.find() ? key.group(1) : "";
            }

            /** A copy with the line number. */
            static SQLException withLine(SQLException e, String file, long line) {
                Matcher where = LINE.matcher(ServerErrors.whereOf(e));
                String column = where.find() && where.group(2) != null ? " (column " + where.group(2) + ")" : "";
                return new SQLException(file + ":" + line + ": " + what(e) + column, e.getSQLState(), e);
            }

            /** A copy with a range of lines, for a server that does not report the line. */
            static SQLException withLine(SQLException e, String file, long first, long last) {
                return new SQLException(
                        Rounded.format(
                                "%s:%d: %s; the server does not report the line, which is one of %d to %d",
                                file, first, what(e), first, last),
                        e.getSQLState(),
                        e);
            }

            private static String what(SQLException e) {
                String key = key(e);
                return ServerErrors.sampleOf(e) + (key.isEmpty() ? "" : ", id " + key);
            }
        }
    }
}
