package io.pgstress.cli;

import io.pgstress.compare.LimitSearch;
import io.pgstress.compare.LimitSearch.Found;
import io.pgstress.compare.RateSearchEvaluation;
import io.pgstress.explain.Explainer.PlannedStatement;
import io.pgstress.extra.indexes.QueryIndex;
import io.pgstress.extra.suggest.Suggestion;
import io.pgstress.extra.suggest.Suggestion.Observed;
import io.pgstress.importer.ImportInput;
import io.pgstress.importer.ImportSummary;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.IndexResult;
import io.pgstress.importer.table.Verification;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RateLimit;
import io.pgstress.plan.RunLoadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.TableName;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.report.file.AtomicFile;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Rehearsal.Answer;
import io.pgstress.result.Rehearsal.Difference;
import io.pgstress.result.Rehearsal.Layouts;
import io.pgstress.result.Rehearsal.MissingIndex;
import io.pgstress.result.Rehearsal.ObservedTime;
import io.pgstress.result.Rehearsal.RehearsedCollection;
import io.pgstress.result.Rehearsal.RehearsedOperation;
import io.pgstress.result.Rehearsal.TableBytes;
import io.pgstress.result.RunResult;
import io.pgstress.result.StatementRoute;
import io.pgstress.result.Validity;
import io.pgstress.runner.RunListener;
import io.pgstress.session.CommandSession;
import io.pgstress.session.PreparedRun;
import io.pgstress.session.Runs;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import io.pgstress.text.Counted;
import io.pgstress.text.Json;
import io.pgstress.text.Quoting;
import io.pgstress.text.TextException;
import io.pgstress.text.TextFile;
import io.pgstress.verdict.RehearsalAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code stress rehearse}: answers whether a MongoDB application will run on PostgreSQL. */
final class RehearseCommand extends RunOptionsCommand {
    private static final Option<List<RateLimit>> LIMIT = Option.list("limit", "LIMIT", RateLimit::parse)
            .help(
                    Group.LOAD,
                    "limit that is to be kept, such as p99<20ms",
                    "The default is a p99 of twice that in MongoDB, at least 20 ms. It may be repeated.");

    private static final Option<Boolean> RESUME =
            Option.flag("resume").help(Group.TABLES, "continue a rehearsal that was interrupted");

    private static final Option<Boolean> LAYOUT = Option.flag("layout")
            .help(
                    Group.TABLES,
                    "also compare ways to store the documents",
                    "Copies of the table in the schema " + LayoutComparison.SCHEMA
                            + ", up to five, have other indexes, compression or fillfactor. They are dropped at the end.");

    private static final Option<Boolean> KEEP_LAYOUTS = Option.flag("keep-layouts")
            .needs(() -> LAYOUT, "is for --layout")
            .help(Group.TABLES, "do not drop the copies of --layout");

    private static final List<Option<?>> OWN = Option.join(
            List.of(LIMIT, RESUME, LAYOUT, KEEP_LAYOUTS), ImportCommandOptions.OF_REHEARSAL, ReportOptions.OF_FINDING);

    private static final String FROM_DUMP = "is determined by the dump; leave it out";

    /** The run at the rate of production. Its table and its operations are known after the import. */
    private static final Purpose LOAD = new Purpose(
                    Map.of("clients", "32", "warmup-limit", "8s", "drain", "3s", "interval", "500ms"),
                    Map.of(),
                    false,
                    false,
                    true,
                    Map.of())
            .refusing(RunOptions.OP, FROM_DUMP)
            .refusing(RunOptions.TABLE, FROM_DUMP)
            .refusing(CustomOperations.FILES, FROM_DUMP)
            .refusing(
                    RunOptions.ALTER_SYSTEM,
                    "a rehearsal changes no settings of servers; --set changes those of its sessions")
            .refusing(
                    RunLoadOptions.RATE,
                    o -> o.get(RunLoadOptions.RATE).size() > 1 ? "must be one rate in a rehearsal" : "");

    /** A trial of the search takes this part of {@code --duration}, and a block of the comparison of layouts half of that. */
    private static final int TRIALS = 5;

    /** The warm-up before each of them is this part of it. */
    private static final int WARMUPS = 6;

    /** Options of the load that are others in a search. */
    private static final List<Option<?>> OF_LOAD =
            List.of(RunLoadOptions.RATE, RunLoadOptions.DURATION, RunLoadOptions.WARMUP, RunLoadOptions.WARMUP_LIMIT);

    /** The p99 that is to be kept at least, if no limit is given, in milliseconds. */
    private static final int MIN_LIMIT_MILLIS = 20;

    /** Those of the extension hypopg. It has none of GIN, and the creation of one fails. */
    private static final String HYPOTHETICAL_INDEXES =
            "select 1 where to_regprocedure('hypopg_create_index(text)') is not null";

    private static final String NOTHING = "nothing was imported";
    private static final String CONTINUE = "run the same command with --resume to continue";

    RehearseCommand(Streams streams) {
        super(streams, Subcommand.REHEARSE, LOAD, OWN);
        argument("1", "DUMP", "The dump's directory, or an archive.");
    }

    /** How far a rehearsal has come, saved after each step. */
    record State(
            @Nullable ImportSummary imported,
            Map<String, TableBytes> sizes,
            @Nullable RunResult load) {}

    @Override
    int run(ParseResult parsed, Options own, Problems problems) throws Exception {
        RunSpec asked = READER.read(given(parsed, LOAD), LOAD.withDefault("table", "dump"), problems);
        Options importing = ImportCommandOptions.ofRehearsal(
                given(parsed, ImportCommandOptions.OF_REHEARSAL),
                asked.get(ServerOptions.TARGET),
                own.get(ReportOptions.QUIET),
                own.get(RESUME),
                problems);
        ResultOutput output = new ResultOutput(own);
        problems.throwIfAny();
        String dump = argument(parsed);
        if (ImportInput.isStream(dump)) {
            throw new InvalidPlanException("the dump must be a directory or a file, because it is read several times");
        }
        endIfOnlyChecked();
        output.prepare();
        streams.interruption().enter(CommandPart.ofThread(Thread.currentThread(), "", NOTHING));
        try (DumpImport input = DumpImport.open(List.of(dump), importing, streams);
                CommandSession session = opened(parsed, asked)) {
            input.requireCollections();
            Course course = new Course(parsed, own, asked, importing, session);
            course.checksSchema();
            if (!course.imports(input, dump) || !course.findsOperations(dump)) {
                return ExitCode.DATA;
            }
            course.loads();
            Rehearsal rehearsal = course.answered();
            streams.interruption()
                    .enter(CommandPart.uninterruptible("the reports to be written", "the report is not complete"));
            output.write(List.of(rehearsal), streams);
            course.forget();
            return ExitCode.of(List.of(rehearsal));
        }
    }

    private CommandSession opened(ParseResult parsed, RunSpec asked) {
        tellServer(parsed, asked);
        return CommandSession.open(asked, streams.interruption(), NOTHING, streams::note, streams.passwords());
    }

    /** The steps of one rehearsal, in the order of its methods. Belongs to one thread. */
    private final class Course {
        private final ParseResult parsed;
        private final Options own;
        private final RunSpec asked;
        private final Options importing;
        private final CommandSession session;
        private final Path state;
        private final Path operationsFile;
        private final Map<String, TableBytes> sizes = new LinkedHashMap<>();
        private final Map<String, QueryIndex> helpful = new LinkedHashMap<>();
        private @Nullable ImportSummary imported;
        private @Nullable Suggestion suggestion;
        private @Nullable CollectionSummary busiest;
        private @Nullable RunSpec planned;
        private @Nullable RunResult load;

        Course(ParseResult parsed, Options own, RunSpec asked, Options importing, CommandSession session)
                throws IOException {
            this.parsed = parsed;
            this.own = own;
            this.asked = asked;
            this.importing = importing;
            this.session = session;
            String key = SavedStates.key(Forms.path(argument(parsed)).toAbsolutePath() + "\n"
                    + asked.options().texts() + "\n" + given(parsed, ImportCommandOptions.OF_REHEARSAL));
            Path directory =
                    Files.createDirectories(DataHome.of(System.getenv()).resolve("rehearsals"));
            state = directory.resolve(key + ".json");
            operationsFile = directory.resolve(key + ".yaml");
            if (!own.get(RESUME)) {
                forget();
            } else if (Files.exists(state)) {
                State saved = saved();
                imported = saved.imported();
                sizes.putAll(saved.sizes());
                load = saved.load();
            }
        }

        private State saved() throws IOException {
            try {
                return Json.read(TextFile.read(state, TextFile.RESULT), State.class);
            } catch (TextException e) {
                throw new TextException("--resume: " + state + " is damaged: " + e.getMessage());
            }
        }

        private void keep() throws IOException {
            new AtomicFile(state).write(out -> out.write(Json.writeLine(new State(imported, sizes, load))));
        }

        /** Deletes what is known of an earlier rehearsal. */
        void forget() throws IOException {
            Files.deleteIfExists(state);
        }

        /** Refuses to begin if the comparison of layouts could not. */
        void checksSchema() throws SQLException {
            if (own.get(LAYOUT)) {
                try (Connection control = session.connector(login()).open(SessionPurpose.CONTROL)) {
                    LayoutComparison.requireNoSchema(control);
                }
            }
        }

        private Login login() {
            return new Login(
                    asked.get(ServerOptions.USER).orElse(""),
                    asked.get(ServerOptions.PASSWORD_COMMAND).orElse(""),
                    streams.passwords());
        }

        private void begin(int step, String what) {
            streams.interruption().check();
            streams.interruption().enter(CommandPart.ofThread(Thread.currentThread(), "", CONTINUE));
            tell(step + " of " + (own.get(LAYOUT) ? 6 : 5) + ": " + what);
        }

        /** Imports the dump; false if documents are missing for another reason than that they were rejected or differ. */
        boolean imports(DumpImport input, String dump) throws SQLException, IOException, InterruptedException {
            if (imported != null) {
                return true;
            }
            begin(1, "importing " + dump);
            ImportSummary summary = input.into(session, login());
            List<String> incomplete = summary.collections().stream()
                    .filter(each -> !each.fault().isEmpty() && difference(each) == null)
                    .map(each -> each.collection() + ": " + each.fault())
                    .toList();
            if (!incomplete.isEmpty()) {
                streams.error("not everything was imported: " + Counted.first(incomplete, "; "));
                return false;
            }
            imported = summary;
            keep();
            return true;
        }

        /** Writes the operations file; false if it would be empty. */
        boolean findsOperations(String dump) throws SQLException, IOException, InterruptedException {
            begin(2, "finding operations");
            Suggestion found = Suggestion.of(Forms.path(dump), ImportCommandOptions.databases(importing));
            if (found.operations() == 0) {
                streams.error(found.namespace() + ": " + found.counts());
                return false;
            }
            suggestion = found;
            busiest = known(imported).collections().stream()
                    .filter(each -> each.collection().equals(found.namespace()))
                    .findFirst()
                    .orElseThrow(() -> new InvalidPlanException(
                            "the profile is that of " + found.namespace() + ", but this collection was not imported"));
            Files.writeString(operationsFile, found.yaml(operationsFile.toString()), StandardCharsets.UTF_8);
            // writes too, where nothing tells which ones there are
            String mix = found.isGuess() ? found.mix() + ",find_update:1" : found.mix();
            planned = read(LOAD, given(parsed, LOAD), mix);
            if (sizes.isEmpty()) { // later, the load has changed them
                measuresTables(session.connect(planned));
            }
            return true;
        }

        private void measuresTables(Target target) throws SQLException {
            try (Connection control = target.first().connector().open(SessionPurpose.CONTROL)) {
                for (CollectionSummary each : known(imported).collections()) {
                    TableName table = TableName.parse(each.table());
                    sizes.put(each.table(), LayoutComparison.size(control, target.dialect(), table));
                }
            }
        }

        private RunSpec read(Purpose purpose, Map<String, List<String>> given, String mix) {
            return READER.read(
                    given,
                    purpose.withDefault("table", known(busiest).table())
                            .withDefault("operations", operationsFile.toString())
                            .withDefault("op", mix));
        }

        /** Runs the load at the rate of production, or in a closed loop if that is unknown. */
        void loads() throws IOException, InterruptedException {
            if (load != null) {
                return;
            }
            Double rate = rate();
            RunSpec run = known(planned);
            RunSpec atRate =
                    rate == null ? run : run.withRate(rate, run.phases().measure(), run.seed());
            begin(3, "running the operations" + (rate == null ? "" : " at their rate"));
            PreparedRun prepared = session.prepareLoad(atRate);
            load = runs().runWhole(prepared, RunListener.NONE).withArgv(argv(parsed));
            keep();
        }

        private Runs runs() {
            Runs runs = new Runs(here(), ceilings(), () -> CONTINUE);
            streams.interruption().enter(runs);
            return runs;
        }

        /** The rate that is needed: the one that was given, or else that in MongoDB; null if unknown. */
        private @Nullable Double rate() {
            List<Double> given = asked.get(RunLoadOptions.RATE);
            return given.isEmpty() ? known(suggestion).perSecond() : given.get(0);
        }

        /** Looks for indexes that help and for the highest rate, and judges all that was found. */
        Rehearsal answered() throws SQLException, IOException, InterruptedException {
            Suggestion found = known(suggestion);
            RunResult run = known(load);
            begin(4, "explaining the operations");
            PreparedRun prepared = session.prepare(known(planned));
            List<RehearsedOperation> operations = operations(found, run, prepared);
            begin(5, "searching for the highest rate");
            RateSearch search = search(found);
            Layouts layouts = own.get(LAYOUT) ? layouts(found, prepared) : null;
            return RehearsalAnswer.judged(new Rehearsal(
                    run.header(),
                    Rehearsal.KIND,
                    Answer.UNKNOWN,
                    List.of(),
                    found.isGuess(),
                    found.perSecond(),
                    rate(),
                    known(imported).collections().stream()
                            .map(each -> collection(each, known(sizes.get(each.table()))))
                            .toList(),
                    operations,
                    operationsFile.toString(),
                    Stream.concat(Stream.of(found.namespace() + ": " + found.counts()), found.notes().stream())
                            .toList(),
                    run,
                    search,
                    layouts,
                    Validity.NONE));
        }

        private List<RehearsedOperation> operations(Suggestion found, RunResult run, PreparedRun prepared)
                throws SQLException, InterruptedException {
            List<WeightedOperation> mix = prepared.spec().mix();
            double weights = mix.stream().mapToInt(WeightedOperation::weight).sum();
            Map<String, Observed> observed = new LinkedHashMap<>();
            found.observed().forEach(each -> observed.put(each.name(), each));
            List<RehearsedOperation> operations = new ArrayList<>();
            for (WeightedOperation each : mix) {
                streams.interruption().check();
                operations.add(
                        rehearsed(each.name(), each.weight() / weights, observed.get(each.name()), prepared, run));
            }
            return operations;
        }

        private RehearsedOperation rehearsed(
                String name, double share, @Nullable Observed observed, PreparedRun prepared, RunResult run)
                throws SQLException {
            String mode = prepared.spec().statement().name().toLowerCase(Locale.ROOT);
            List<StatementRoute> routes = run.serverProfile().explained().routes().stream()
                    .filter(route ->
                            route.operation().equals(name) && route.mode().equals(mode))
                    .toList();
            List<String> scans = routes.stream()
                    .flatMap(route -> route.scans().stream())
                    .distinct()
                    .toList();
            boolean readsAll = observed != null
                    && routes.stream().anyMatch(StatementRoute::readsAll)
                    && readsAllInVain(observed, prepared);
            QueryIndex index = helpful.get(name);
            Suggestion.Times times = observed == null ? null : observed.times();
            return new RehearsedOperation(
                    name,
                    share,
                    times == null ? null : time(times.median(), times.medianAtMost()),
                    times == null ? null : time(times.p95(), times.p95AtMost()),
                    observed == null ? null : observed.examined(),
                    observed == null
                            ? List.of()
                            : List.copyOf(observed.indexKey().keySet()),
                    scans,
                    readsAll,
                    index == null ? List.of() : index.on(prepared.table().name()));
        }

        /** Whether an operation that reads a whole table need not. Keeps the index with which the server does not, if there is one. */
        private boolean readsAllInVain(Observed observed, PreparedRun prepared) throws SQLException {
            TableName table = prepared.table().name();
            TableName used = observed.changes() ? table.copy() : table;
            QueryIndex index = null;
            if (!observed.indexKey().isEmpty()) {
                try (Connection control = prepared.target().first().connector().open(SessionPurpose.CONTROL)) {
                    index = QueryIndex.of(control, prepared.target().dialect(), table, observed.indexKey());
                }
            }
            List<StatementRoute> routes =
                    index == null || index.on(used).isEmpty() ? List.of() : routesWith(index, used, observed, prepared);
            if (routes.isEmpty()) {
                return RehearsalAnswer.looksAtFewInMongo(
                        observed.examined(), known(busiest).documents());
            }
            // a server that reads a small table as a whole although there is an index does so because it is faster
            boolean helps = routes.stream().noneMatch(StatementRoute::readsAll);
            if (helps) {
                helpful.put(observed.name(), known(index));
            }
            return helps;
        }

        /** How the server would run an operation with an index, a hypothetical one if it can; empty if that cannot be tried. */
        private static List<StatementRoute> routesWith(
                QueryIndex index, TableName table, Observed observed, PreparedRun prepared) throws SQLException {
            boolean hasHypothetical;
            try (Connection control = prepared.target().first().connector().open(SessionPurpose.CONTROL)) {
                hasHypothetical = !prepared.target().first().sharesSessions() // in which it would stay
                        && ControlSql.isSince(control, 14, 0)
                        && ControlSql.exists(control, HYPOTHETICAL_INDEXES);
            }
            String analyze = "analyze " + table.quoted();
            Stream<String> statistics = IntStream.range(0, index.expressions().size())
                    .mapToObj(i -> "create statistics stress_trial_" + i + " on "
                            + index.expressions().get(i) + " from " + table.quoted());
            List<StatementRoute> hypothetical = !hasHypothetical
                    ? List.of()
                    : routesAfter(
                            Stream.of(
                                    index.on(table).stream()
                                            .map(sql -> "select hypopg_create_index(" + Quoting.literal(sql) + ")"),
                                    statistics,
                                    Stream.of(analyze)),
                            observed,
                            prepared);
            return hypothetical.isEmpty()
                    ? routesAfter(Stream.of(index.on(table).stream(), Stream.of(analyze)), observed, prepared)
                    : hypothetical;
        }

        private static List<StatementRoute> routesAfter(
                Stream<Stream<String>> statements, Observed observed, PreparedRun prepared) throws SQLException {
            List<String> before = statements.flatMap(each -> each).toList();
            List<StatementRoute> routes = ExplainCommand.explain(
                            prepared,
                            List.of(observed.name()),
                            true,
                            created -> {},
                            (explainer, names, operations) -> explainer.explainAfter(before, names, operations))
                    .stream()
                    .map(PlannedStatement::route)
                    .toList();
            return routes.stream().anyMatch(route -> route.error() != null) ? List.of() : routes;
        }

        /** The options of runs that last for other times than the load. */
        private Map<String, List<String>> shorter() {
            Map<String, List<String>> given = new LinkedHashMap<>(given(parsed, LOAD));
            OF_LOAD.forEach(option -> given.remove(option.name()));
            return given;
        }

        private Purpose lasting(Purpose purpose, Duration duration) {
            return purpose.withDefault("duration", duration.toMillis() + "ms")
                    .withDefault("warmup", duration.dividedBy(WARMUPS).toMillis() + "ms")
                    .withDefault(
                            "warmup-limit",
                            known(planned).phases().warmupLimit().toMillis() + "ms");
        }

        private void tell(String line) {
            if (!own.get(ReportOptions.QUIET)) {
                streams.progress(line);
            }
        }

        private Layouts layouts(Suggestion found, PreparedRun prepared)
                throws SQLException, IOException, InterruptedException {
            begin(6, "comparing layouts");
            boolean updates = found.isGuess() || found.observed().stream().anyMatch(Observed::updates);
            LayoutComparison layouts = new LayoutComparison(prepared, operationsFile, found, helpful, updates);
            Runs runs = runs();
            runs.keeps(() -> "schema " + LayoutComparison.SCHEMA + " may be left, drop it with: "
                    + LayoutComparison.DROP + "; then " + CONTINUE);
            Duration block = known(planned).phases().measure().dividedBy(2 * TRIALS);
            try {
                return layouts.compare(
                        session,
                        runs,
                        own.get(KEEP_LAYOUTS),
                        shorter(),
                        lasting(Purpose.BLOCK, block),
                        argv(parsed),
                        this::tell);
            } catch (InterruptedException e) {
                if (e.getSuppressed().length == 0) { // it was dropped
                    runs.keeps(() -> CONTINUE);
                }
                throw e;
            }
        }

        private RateSearch search(Suggestion found) throws InterruptedException {
            List<RateLimit> limits = own.get(LIMIT).isEmpty() ? List.of(limit(found)) : own.get(LIMIT);
            Purpose purpose = lasting(
                    Purpose.RATE_SEARCH, known(planned).phases().measure().dividedBy(TRIALS));
            RunSpec first = read(purpose, shorter(), known(planned).mixLabel());
            RateTrials trials = new RateTrials(session, first, runs(), limits, this::tell);
            double seconds = first.phases().measure().toMillis() / 1e3;
            Found highest = new LimitSearch(trials, limits, seconds, System::nanoTime).search();
            RuntimeException failure = highest.failure();
            if (failure != null) {
                throw failure;
            }
            if (!highest.isWhole()) {
                throw new InterruptedException("stopped");
            }
            return RateSearchEvaluation.of(highest, limits, trials.results(), argv(parsed));
        }
    }

    /** What an earlier step found. */
    private static <T> T known(@Nullable T found) {
        if (found == null) {
            throw new IllegalStateException("the steps are in another order");
        }
        return found;
    }

    private static RateLimit limit(Suggestion found) {
        int millis = found.observed().stream()
                .map(Observed::times)
                .flatMap(Stream::ofNullable)
                .mapToInt(times -> 2 * times.p99())
                .max()
                .orElse(0);
        return RateLimit.parse("p99<" + Math.max(MIN_LIMIT_MILLIS, millis) + "ms");
    }

    private static ObservedTime time(int millis, @Nullable Integer highest) {
        return new ObservedTime(millis, highest == null ? null : Double.valueOf(highest));
    }

    private static @Nullable Difference difference(CollectionSummary of) {
        Verification found = of.verification();
        return found == null || found.same()
                ? null
                : new Difference(found.missing(), found.additional(), found.different(), found.examples());
    }

    private static RehearsedCollection collection(CollectionSummary of, TableBytes size) {
        return new RehearsedCollection(
                of.collection(),
                of.table(),
                of.documents(),
                of.rows(),
                of.rejects(),
                of.bsonBytes(),
                size,
                difference(of),
                of.indexes().stream().flatMap(RehearseCommand::missing).toList());
    }

    private static Stream<MissingIndex> missing(IndexResult index) {
        String name = index.name().isEmpty() ? "(all)" : index.name();
        if (!index.fault().isEmpty()) {
            return Stream.of(new MissingIndex(name, index.fault(), true, index.fields()));
        }
        return index.unserved()
                ? Stream.of(new MissingIndex(name, String.join("; ", index.notes()), false, index.fields()))
                : Stream.empty();
    }
}
