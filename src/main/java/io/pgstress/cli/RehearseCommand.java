package io.pgstress.cli;

import io.pgstress.bson.dump.LeftOut;
import io.pgstress.compare.LimitSearch;
import io.pgstress.compare.LimitSearch.Found;
import io.pgstress.compare.RateSearchEvaluation;
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
import io.pgstress.result.Rehearsal.RehearsedCollection;
import io.pgstress.result.Rehearsal.RehearsedOperation;
import io.pgstress.result.Rehearsal.TableBytes;
import io.pgstress.result.RunResult;
import io.pgstress.result.StatementRoute;
import io.pgstress.result.Validity;
import io.pgstress.session.CommandSession;
import io.pgstress.session.PreparedRun;
import io.pgstress.session.Runs;
import io.pgstress.target.Target;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import io.pgstress.text.Counted;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
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
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    private static final List<Option<?>> OWN =
            Option.join(List.of(LIMIT, RESUME, LAYOUT), ImportCommandOptions.OF_REHEARSAL, ReportOptions.OF_FINDING);

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

    /** Collections that no application misses; the buckets of time series are none of these. */
    private static final Pattern MONGODBS_OWN = Pattern.compile("(^|\\.)system\\.(?!buckets\\.)");

    private static final String NOTHING = "nothing was imported";
    private static final String CONTINUE = "run the same command with --resume to continue";

    RehearseCommand(Streams streams) {
        super(streams, Subcommand.REHEARSE, LOAD, OWN);
        argument("1", "DUMP", "The dump's directory, or an archive.");
    }

    /**
     * How far a rehearsal has come, saved after each step.
     *
     * @param differentFields where rows differ from their documents, by collection
     */
    record State(
            ImportSummary imported,
            Map<String, TableBytes> sizes,
            Map<String, List<String>> differentFields,
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
            Course course = new Course(parsed, own, asked, session);
            State state = course.imported(input, dump);
            Suggestion found = state == null ? null : course.suggested(dump, importing, state.imported());
            if (state == null || found == null) {
                return ExitCode.DATA;
            }
            Rehearsal rehearsal = course.rehearsed(state, found);
            streams.interruption()
                    .enter(CommandPart.uninterruptible("the reports to be written", "the report is not complete"));
            output.write(List.of(rehearsal), streams);
            if (rehearsal.answer() != Answer.UNKNOWN) {
                course.forget();
            }
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
        private final CommandSession session;
        private final Path saved;
        private final Path operationsFile;

        Course(ParseResult parsed, Options own, RunSpec asked, CommandSession session) throws IOException {
            this.parsed = parsed;
            this.own = own;
            this.asked = asked;
            this.session = session;
            String key = SavedStates.key(Forms.path(argument(parsed)).toAbsolutePath() + "\n"
                    + asked.options().texts() + "\n" + given(parsed, ImportCommandOptions.OF_REHEARSAL));
            Path directory =
                    Files.createDirectories(DataHome.of(System.getenv()).resolve("rehearsals"));
            saved = directory.resolve(key + ".json");
            operationsFile = directory.resolve(key + ".yaml");
        }

        private State keep(State state) throws IOException {
            new AtomicFile(saved).write(out -> out.write(Json.writeLine(state)));
            return state;
        }

        /** Deletes what is known of an earlier rehearsal. */
        void forget() throws IOException {
            Files.deleteIfExists(saved);
        }

        private void begin(int step, String what) {
            streams.interruption().check();
            streams.interruption().enter(CommandPart.ofThread(Thread.currentThread(), "", CONTINUE));
            tell(step + " of " + (own.get(LAYOUT) ? 6 : 5) + ": " + what);
        }

        private void tell(String line) {
            if (!own.get(ReportOptions.QUIET)) {
                streams.progress(line);
            }
        }

        /** Imports the dump; null if documents are missing for another reason than that they were rejected or differ. */
        @Nullable
        State imported(DumpImport input, String dump) throws SQLException, IOException, InterruptedException {
            Login login = ImportCommandOptions.login(asked.options(), streams.passwords());
            if (own.get(LAYOUT)) {
                try (Connection control = session.connector(login).open(SessionPurpose.CONTROL)) {
                    LayoutComparison.requireNoSchema(control);
                }
            }
            if (own.get(RESUME) && Files.exists(saved)) {
                State state = SavedStates.read(saved, State.class);
                tell(SavedStates.TAKEN_OVER + "the import"
                        + (state.load() == null ? "" : " and the run of the operations"));
                return state;
            }
            forget();
            begin(1, "importing " + dump);
            ImportSummary summary = input.into(session, login);
            List<String> incomplete = summary.collections().stream()
                    .filter(each -> !each.fault().isEmpty() && !differs(each))
                    .map(each -> each.collection() + ": " + each.fault())
                    .toList();
            if (!incomplete.isEmpty()) {
                streams.error("not everything was imported: " + Counted.first(incomplete, "; "));
                return null;
            }
            Target target = session.connect(asked);
            Map<String, TableBytes> sizes = new LinkedHashMap<>();
            try (Connection control = target.first().connector().open(SessionPurpose.CONTROL)) {
                for (CollectionSummary each : summary.collections()) {
                    TableName table = TableName.parse(each.table());
                    sizes.put(each.table(), LayoutComparison.size(control, target.dialect(), table));
                }
            }
            boolean differs = summary.collections().stream().anyMatch(RehearseCommand::differs);
            Map<String, List<String>> fields = differs ? input.differentFields(session, login) : Map.of();
            return keep(new State(summary, sizes, fields, null));
        }

        /** Writes the operations file; null if it would be empty. */
        @Nullable
        Suggestion suggested(String dump, Options importing, ImportSummary imported)
                throws IOException, InterruptedException {
            begin(2, "finding operations");
            Set<String> collections = imported.collections().stream()
                    .map(CollectionSummary::collection)
                    .collect(Collectors.toSet());
            Suggestion found = Suggestion.of(
                    Forms.path(dump),
                    ImportCommandOptions.databases(importing),
                    each -> collections.contains(each.database().isEmpty() ? each.collection() : each.toString()));
            if (found.operations() == 0) {
                streams.error("no operation on " + found.namespace() + " in the profile could be translated: "
                        + Counted.first(found.reasons(), "; "));
                return null;
            }
            if (busiest(imported, found).documents() == 0) {
                streams.error(found.namespace() + " has no documents, so that no operation can be tried on it");
                return null;
            }
            Files.writeString(operationsFile, found.yaml(operationsFile.toString()), StandardCharsets.UTF_8);
            return found;
        }

        /** Runs the operations, looks for indexes that help and for the highest rate, and judges all that was found. */
        Rehearsal rehearsed(State state, Suggestion found) throws SQLException, IOException, InterruptedException {
            CollectionSummary busiest = busiest(state.imported(), found);
            // writes too, where nothing tells which ones there are
            String mix = found.isGuess() ? found.mix() + ",find_update:1" : found.mix();
            RunSpec planned = read(LOAD, given(parsed, LOAD), busiest.table(), mix);
            List<Double> given = asked.get(RunLoadOptions.RATE);
            Double rate = given.isEmpty() ? found.perSecond() : given.get(0);
            RunResult load = state.load() == null ? load(planned, rate) : state.load();
            keep(Records.with(state, "load", load.valid() ? load : null));

            begin(4, "explaining the operations");
            PreparedRun prepared = session.prepare(planned);
            IndexTrials trials = new IndexTrials(prepared, busiest.documents());
            List<RehearsedOperation> operations = operations(found, planned, load, trials);
            RateSearch search = null;
            if (!RehearsalAnswer.hasFailing(load)) {
                List<RateLimit> limits = own.get(LIMIT).isEmpty() ? List.of(limit(found)) : own.get(LIMIT);
                begin(
                        5,
                        "searching for the highest rate that keeps "
                                + limits.stream().map(RateLimit::text).collect(Collectors.joining(" and ")));
                search = search(limits, planned);
            }
            return RehearsalAnswer.judged(new Rehearsal(
                    load.header(),
                    Rehearsal.KIND,
                    Answer.UNKNOWN,
                    List.of(),
                    found.part(),
                    found.perSecond(),
                    rate,
                    state.imported().collections().stream()
                            .map(each -> collection(each, state))
                            .toList(),
                    operations,
                    operationsFile.toString(),
                    notes(state, found),
                    load,
                    search,
                    own.get(LAYOUT) ? layouts(found, prepared, trials.helpful()) : null,
                    Validity.NONE));
        }

        private RunSpec read(Purpose purpose, Map<String, List<String>> given, String table, String mix) {
            return READER.read(
                    given,
                    purpose.withDefault("table", table)
                            .withDefault("operations", operationsFile.toString())
                            .withDefault("op", mix));
        }

        /** Runs the load at the rate of production, or in a closed loop if that is unknown. */
        private RunResult load(RunSpec planned, @Nullable Double rate) throws InterruptedException {
            begin(3, "running the operations" + (rate == null ? "" : " at their rate"));
            RunSpec atRate = rate == null
                    ? planned
                    : planned.withRate(rate, planned.phases().measure(), planned.seed());
            return runs().run("", session.prepareLoad(atRate)).withArgv(argv(parsed));
        }

        private RunsLine runs() {
            Runs runs = new Runs(here(), ceilings(), () -> CONTINUE);
            streams.interruption().enter(runs);
            return new RunsLine(runs, streams, own.get(ReportOptions.QUIET));
        }

        private List<RehearsedOperation> operations(
                Suggestion found, RunSpec planned, RunResult load, IndexTrials trials) throws SQLException {
            Map<String, Observed> observed = new LinkedHashMap<>();
            found.observed().forEach(each -> observed.put(each.name(), each));
            double weights =
                    planned.mix().stream().mapToInt(WeightedOperation::weight).sum();
            List<RehearsedOperation> operations = new ArrayList<>();
            for (WeightedOperation each : planned.mix()) {
                streams.interruption().check();
                Observed seen = observed.getOrDefault(each.name(), Observed.unknown(each.name()));
                operations.add(operation(seen, each.weight() / weights, load, trials));
            }
            return operations;
        }

        private RehearsedOperation operation(Observed observed, double share, RunResult load, IndexTrials trials)
                throws SQLException {
            List<StatementRoute> routes = trials.routes(observed.name(), load);
            boolean readsAll = routes.stream().anyMatch(StatementRoute::readsAll) && trials.readsAllInVain(observed);
            Suggestion.Times times = observed.times();
            return new RehearsedOperation(
                    observed.name(),
                    share,
                    times == null ? null : times.median(),
                    times == null ? null : times.p95(),
                    List.copyOf(observed.indexKey().keySet()),
                    routes.stream()
                            .flatMap(route -> route.scans().stream())
                            .distinct()
                            .toList(),
                    readsAll,
                    trials.sql(observed.name()));
        }

        private RateSearch search(List<RateLimit> limits, RunSpec planned) throws InterruptedException {
            Purpose purpose = lasting(
                    Purpose.RATE_SEARCH, planned, planned.phases().measure().dividedBy(TRIALS));
            RunSpec first =
                    read(purpose, shorter(), planned.table().orElseThrow().written(), planned.mixLabel());
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

        private Layouts layouts(Suggestion found, PreparedRun prepared, Map<String, QueryIndex> helpful)
                throws SQLException, IOException, InterruptedException {
            begin(6, "comparing layouts");
            streams.interruption()
                    .remains(() -> List.of("schema " + LayoutComparison.SCHEMA + " may be left, drop it with: "
                            + LayoutComparison.DROP));
            boolean updates = found.isGuess() || found.observed().stream().anyMatch(Observed::updates);
            Duration block = prepared.spec().phases().measure().dividedBy(2 * TRIALS);
            return new LayoutComparison(prepared, operationsFile, found, helpful, updates)
                    .compare(
                            session,
                            runs(),
                            shorter(),
                            lasting(Purpose.BLOCK, prepared.spec(), block),
                            argv(parsed),
                            this::tell);
        }

        private RehearsedCollection collection(CollectionSummary of, State state) {
            Verification found = of.verification();
            return new RehearsedCollection(
                    of.collection(),
                    of.table(),
                    of.documents(),
                    of.rejects(),
                    of.bsonBytes(),
                    state.sizes().getOrDefault(of.table(), new TableBytes(0, 0, 0)),
                    found == null || found.same()
                            ? null
                            : new Difference(
                                    found.missing(),
                                    found.additional(),
                                    found.different(),
                                    found.examples(),
                                    state.differentFields().getOrDefault(of.collection(), List.of()),
                                    diffCommand()),
                    of.indexes().stream().flatMap(RehearseCommand::missing).toList());
        }

        /** The command that shows what differs from the dump. */
        private String diffCommand() {
            List<String> words = new ArrayList<>(List.of(Subcommand.DIFF.label(), argument(parsed)));
            words.addAll(
                    Argv.server(asked.endpoints(), asked.get(ServerOptions.USER), asked.get(ServerOptions.TARGET)));
            given(parsed, ImportCommandOptions.OF_DUMP_IN_REHEARSAL)
                    .forEach((name, texts) -> texts.forEach(text -> words.addAll(List.of("--" + name, text))));
            return Argv.command(words);
        }

        /** The options of runs that last for other times than the load. */
        private Map<String, List<String>> shorter() {
            Map<String, List<String>> given = new LinkedHashMap<>(given(parsed, LOAD));
            OF_LOAD.forEach(option -> given.remove(option.name()));
            return given;
        }

        private static Purpose lasting(Purpose purpose, RunSpec planned, Duration duration) {
            return purpose.withDefault("duration", duration.toMillis() + "ms")
                    .withDefault("warmup", duration.dividedBy(WARMUPS).toMillis() + "ms")
                    .withDefault("warmup-limit", planned.phases().warmupLimit().toMillis() + "ms");
        }
    }

    /** The collection of the operations. */
    private static CollectionSummary busiest(ImportSummary imported, Suggestion found) {
        return imported.collections().stream()
                .filter(each -> each.collection().equals(found.namespace()))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> notes(State state, Suggestion found) {
        Map<String, String> leftOut = new LinkedHashMap<>(state.imported().leftOut());
        leftOut.keySet().removeIf(each -> MONGODBS_OWN.matcher(each).find());
        return Stream.concat(
                        found.notes().stream(), LeftOut.lines(leftOut).stream().map(each -> "not imported: " + each))
                .toList();
    }

    private static RateLimit limit(Suggestion found) {
        double millis = found.observed().stream()
                .map(Observed::times)
                .flatMap(Stream::ofNullable)
                .mapToDouble(times -> 2 * times.p99().millis())
                .max()
                .orElse(0);
        return RateLimit.parse("p99<" + Math.round(Math.max(MIN_LIMIT_MILLIS, millis)) + "ms");
    }

    private static boolean differs(CollectionSummary of) {
        Verification found = of.verification();
        return found != null && !found.same();
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
