package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.workload.Operations;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a user sees: exit codes, one line per problem, only JSON on stdout. */
@Slow
final class CommandLineTest {
    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeTables() {
        url = TestServer.freshDatabase("cli");
        TestServer.table(url, "docs", 500);
    }

    static void assertOneLine(Ended ended, int code, String... parts) {
        assertThat(ended.err()).contains(parts).doesNotContain("\tat ");
        assertThat(ended.err().trim().lines()).singleElement().matches(line -> line.length() < 200);
        assertThat(ended.code()).isEqualTo(code);
        assertThat(ended.out()).isEmpty();
    }

    /** Without a limit, no operation is late. */
    @Test
    void limitThatNoRunCanExceedIsRefused() {
        assertOneLine(
                stress("-t docs -T 0.2 --fail-if late>0 --url " + url), 2, "--fail-if: late needs --latency-limit");
    }

    @Test
    void helpWithAllOptionsDescribesEveryOperationAndCommand() {
        String help = stress("--help-all").out();
        Operations.ALL.forEach(type -> assertThat(help).contains("  " + type.name() + " ", type.summary()));
        Subcommand.briefs().forEach((name, brief) -> assertThat(help).containsPattern("\n  " + name + " +" + brief));
        assertThat(stress("compare --help").out()).doesNotContain("find_first  ");
    }

    @Test
    void helpWithAllOptionsHasALineForMostOfThem() {
        List<String> lines = stress("--help-all").out().lines().toList();
        long options = lines.stream().filter(line -> line.matches(" {2,6}-.*")).count();
        long continued =
                lines.stream().filter(line -> line.startsWith(" ".repeat(30))).count();
        assertThat(lines).allMatch(line -> line.length() <= 80);
        assertThat(options).isPositive();
        assertThat(continued).as("continued lines").isLessThan(options / 5);
    }

    @Test
    void helpFitsAScreenAndNamesEveryCommand() {
        String help = stress("--help").out();
        assertThat(help.lines()).hasSizeLessThanOrEqualTo(24).allMatch(line -> line.length() <= 80);
        assertThat(help.replaceAll("\\s+", " "))
                .contains("Commands: " + String.join(", ", Subcommand.briefs().keySet()) + " More: ");
        assertThat(help).contains("--url=", "--host=", "--help-all", "COMMAND --help", "stress operations");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRAIN")
    void helpOfEachCommandFitsAScreen(Subcommand command) {
        String help = stress(command.label() + " --help").out();
        String all = stress(command.label() + " --help-all").out();

        assertThat(help.lines()).hasSizeLessThanOrEqualTo(24).allMatch(line -> line.length() <= 80);
        assertThat(all.lines()).allMatch(line -> line.length() <= 80);
        assertThat(help.contains("More: stress " + command.label() + " --help-all"))
                .isEqualTo(!help.equals(all));
        ((Command) Commands.spec(command, new Streams(System.out, System.err)).userObject())
                .listed()
                .forEach(option -> assertThat(all).contains("--" + option.name()));
    }

    @Test
    void examplesOfTheHelpAreCommandLines() {
        Stream<String> commands = Stream.of(Subcommand.values()).map(command -> command.label() + " --help");
        List<String> examples = Stream.concat(Stream.of("--help"), commands)
                .flatMap(command -> stress(command).out().lines())
                .filter(line -> line.startsWith("  stress "))
                .flatMap(line -> Stream.of(line.replaceFirst("#.*", "").split("&&")))
                .map(line -> line.strip().replaceFirst("^stress ", ""))
                .toList();
        assertThat(examples).hasSizeGreaterThan(20).allSatisfy(line -> {
            List<String> words = Commands.words(List.of(line.split(" ")));
            assertThatCode(() -> Commands.of(new Streams(System.out, System.err), words)
                            .parseArgs(Commands.arguments(words)))
                    .doesNotThrowAnyException();
        });
    }

    @Test
    void operationsAreListedWithTheirOptionsAndSql() {
        String[] names = Operations.ALL.stream().map(OperationType::name).toArray(String[]::new);
        String all = stress("operations", String.join(" ", names)).out();
        Operations.ALL.forEach(type -> assertThat(all).contains(type.name() + ": " + type.summary()));
        assertThat(stress("operations").out().lines())
                .as("a line each, and where more is")
                .hasSize(names.length + 1)
                .allMatch(line -> line.length() <= 80);
        assertThat(stress("operations find_update_one").out().lines())
                .containsExactly(
                        "find_update: reads a row by id and writes it back",
                        "  alias    find_update_one",
                        "  table    that of --table",
                        "  options  --key-distribution, --key-sample",
                        "  SQL      select _id, data from TABLE where _id = ?",
                        "           update TABLE set data = ? where _id = ?");
        assertThat(all.lines()).allMatch(line -> line.length() < 400);
    }

    @Test
    void helpBeginsWithWhatToRunAndNamesServerKindsAndDefaults() {
        String help = stress("--help-all").out().replaceAll("\\s+", " ");
        assertThat(help)
                .containsSubsequence("What to run:", "Load and phases:", "Reports:")
                .contains("clients, each with one session (8)");
        assertThat(help.replaceFirst(".*--target=KIND(.*?) (-\\w, )?--.*", "$1"))
                .contains(Dialects.names());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "import nonsense --key-type nonsense | must be one of int",
                "import nonsense --key-typ int | did you mean --key-type?",
                "improt nonsense | did you mean import?",
                "--color pink | --color: must be one of",
                "--cleints 8 | did you mean --clients?",
                "--treads 8 | did you mean --threads?",
                "--op tpcb import dump | --op: options follow the command",
                "--cleints=8 | did you mean --clients?",
                "-x | see --help",
                "--s 3 | Unknown option: '--s'; did you mean -s?",
                "--q=3 | did you mean -q?",
                "--j 3 | Unknown option: '--j'; see --help",
                "--initialise | Unknown option: '--initialise'; see --help",
                "--vus 3 | did you mean --clients?",
                "import nonsense --vus 3 | Unknown option: '--vus'; see --help",
                "help improt | 'improt' is not a command; did you mean import?",
                "help nonsense | 'nonsense' is not a command; see --help",
                "--op find_one | 'find_one' is not an operation; did you mean 'find_first'?",
                "--op tpcb-like:3,find | 'tpcb-like' is not an operation; did you mean 'tpcb'?",
                "--op simple-update | did you mean 'simple_update'?",
                "tune --op tpcb-like | did you mean 'tpcb'?",
                "operations simple-update | did you mean 'simple_update'?",
                "--op find_frist | --op: 'find_frist' is not an operation; did you mean 'find_first'? 'stress operations' lists all",
                "run --op xyz | --op: 'xyz' is not an operation; 'stress operations' lists all",
                "operations find_frist | did you mean 'find_first'?",
                "--accept late_reading | --accept: 'late_reading' is not the code of a reason for not valid; did you mean 'late_readings'?",
                "--accept nonsense | --accept: 'nonsense' is not the code of a reason for not valid; docs/remarks.md lists all",
                "import | Missing required parameter: 'DUMP'; see --help",
                "--live -t docs | --live: needs a value, [HOST:]PORT; see --help",
                "-c 8 --html | --html: needs a value, FILE; see --help",
                "compare --spread 5% --vary statement=plain,prepared | --spread: is for --dry-run",
                "compare --clusters 2 --vary statement=plain,prepared | --clusters: is for variants on servers that are started for them, such as --vary server=17,18",
                "compare --dry-run --vary statement=plain,prepared --json - | --json: has no effect with --dry-run",
                "compare a.json b.json | to show results side by side, type: stress report a.json b.json",
                "compare --clients 8 a.json b.json c.json | (--vary), or run again with --baseline a.json",
                "compare --block 2s --vary statement=plain,prepared | --block: is not an option; --duration is the length",
                "report --list last | --list: lists all saved results; leave last out",
                "report --list --merge | --merge: has no effect with --list",
                "--threads auto | --clients: must be a number; 'stress tune' searches for it",
                "--prometheus-host 127.0.0.1 | --prometheus-host: is not an option; use --prometheus HOST:PORT",
                "--live-host=127.0.0.1 | --live-host: is not an option; use --live HOST:PORT",
                "--live :x | --live: must be a port or HOST:PORT",
                "--username ann | --username: is not an option; use --user",
                "--disk-bound | --disk-bound: is not an option",
                "--watch-command ssh | --watch-command: is not an option; --watch-host uses ssh",
                "--op tpcb --transaction | --transaction: tpcb is already one transaction",
                "--op oltp_insert --id-slice 1/2 | --id-slice: is not an option; use --agents",
                "--op bulk_copy --rounds 3 | --rounds: needs the time of a round",
                "--op bulk_copy --rounds 3 --round-time 1 --duration 3 | --rounds: determines the duration; leave out --duration",
                "--op bulk_copy --rounds 0 --round-time 1 | --rounds: must be at least 1, was 0",
                "--op bulk_copy --rounds two --round-time 1 | --rounds: must be a whole number, was",
                "--op bulk_copy --rounds 2 --round-time soon | --round-time: must be a length of time",
                "--fail-if p98>5ms | --fail-if: unknown figure 'p98'; did you mean",
                "--fail-if p99>+5% | --fail-if: 'p99>+5%' is a change, which needs a baseline",
                "import x --max-rejects=-1 | --max-rejects: must be at least 0, was -1",
                "import x --url jdbc:postgresql://localhost:1/x --target foo | --target: must be one of auto",
                "import x --resume --atomic | --atomic"
            })
    void reportsAnInvalidCommandLineInOneLineBeforeConnecting(String arguments, String told) {
        assertOneLine(stress(arguments), ExitCode.USAGE, told);
    }

    @Test
    void everyCommandPrintsTheVersion() {
        Ended ended = stress("--version");
        assertThat(ended.out()).startsWith("pgstress ").contains("PostgreSQL JDBC Driver");
        assertThat(stress("import --version").out()).isEqualTo(ended.out());
    }

    @Test
    void helpAndVersionAreCommandsToo() {
        assertThat(stress("help")).isEqualTo(stress("--help"));
        assertThat(stress("help run")).isEqualTo(stress("--help"));
        assertThat(stress("help compare")).isEqualTo(stress("compare --help"));
        assertThat(stress("compare -?")).isEqualTo(stress("compare --help"));
        assertThat(stress("-?")).isEqualTo(stress("--help"));
        assertThat(stress("version")).isEqualTo(stress("--version"));
    }

    @Test
    void stdoutContainsOnlyJson() {
        Ended ended = stress("--url " + url + " -t docs -c 4 --warmup 0 -T 0.3 --json - -q" + Runs.ON_A_BUSY_MACHINE);

        assertThat(ended.code()).isZero();
        Map<String, Object> result = Json.readMap(ended.out());
        assertThat(result).containsEntry("schema", 1).containsEntry("valid", true);
    }

    @Test
    void pgbenchLogHasEachOperationThatBeganInTheMeasurement() throws IOException {
        Path log = directory.resolve("pgbench_log");
        Path json = directory.resolve("logged.json");

        Ended ended = stress("--url %s -t docs -c 3 --warmup 200ms -T 500ms -P 100ms -q --pgbench-log %s --json %s"
                        .formatted(url, log, json)
                + Runs.ON_A_BUSY_MACHINE);

        assertThat(ended.code()).as(ended.err()).isZero();
        OperationResult all = ((RunResult) ResultFile.read(json)).total();
        List<String> lines = Files.readAllLines(log);
        assertThat(lines)
                .hasSize((int) (all.ok() + all.failed()))
                .hasSizeGreaterThan(10)
                .allMatch(line -> line.matches("[012] \\d+ \\d+ 0 \\d{10} \\d{1,6} \\d"));
        double mean = lines.stream()
                .mapToLong(line -> Long.parseLong(line.split(" ", -1)[2]))
                .average()
                .orElseThrow();
        assertThat(Objects.requireNonNull(all.latencyMicros().get("total")).mean())
                .isCloseTo(mean, withinPercentage(2));

        Ended sums =
                stress("--url %s -t docs -c 3 --warmup 0 -T 500ms -q --pgbench-log %s --aggregate-interval 1 --json %s"
                                .formatted(url, log, json)
                        + Runs.ON_A_BUSY_MACHINE);

        assertThat(sums.code()).as(sums.err()).isZero();
        OperationResult others = ((RunResult) ResultFile.read(json)).total();
        assertThat(Files.readAllLines(log).stream()
                        .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]))
                        .sum())
                .isEqualTo(others.ok());
    }

    @Test
    void aFullDiskUnderTheLogIsToldWithItsFile() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full));

        Ended ended = stress("--url " + url + " -t docs -c 1 --warmup 0 -T 0.2 -q --pgbench-log " + full);

        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("/dev/full: No space left on device");
        assertThat(ended.out()).as("the report").contains("throughput");
    }

    @Test
    void pgbenchLogIsOfThisProcessAndAFile() {
        assertOneLine(
                stress("--aggregate-interval 5"),
                ExitCode.USAGE,
                "--aggregate-interval: has no effect without --pgbench-log");
        assertOneLine(stress("--pgbench-log -"), ExitCode.USAGE, "--pgbench-log: must be a file");
        assertOneLine( // no server is announced before
                stress("--pgbench-log " + directory.resolve("nowhere/log")),
                ExitCode.USAGE,
                "there is no directory " + directory.resolve("nowhere"));
        assertThat(stress("--pgbench-log x --agents 2").err())
                .contains("--pgbench-log: can only log clients of this process");
    }

    @Test
    void durationIsTheNumberOfRoundsTimesTheirLength() {
        Ended ended = stress("--url " + url
                + " --op bulk_copy --clients 2 --warmup 0 --rounds 3 --round-time 0.2 --json - -q"
                + Runs.ON_A_BUSY_MACHINE);

        assertThat(ended.err()).contains(" ops/s, p50 ").hasLineCount(1);
        assertThat(ended.code()).isZero();
        Map<?, ?> result = Json.readMap(ended.out());
        List<?> phases = (List<?>) ((Map<?, ?>) Objects.requireNonNull(result.get("run"))).get("phases");
        assertThat(phases.get(1).toString()).containsPattern("seconds=0\\.[5-8]");
    }

    @Test
    void reportsAllProblemsTogether() {
        Ended ended = stress("--op x -c 0 -T soon --pool hikary");

        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err().lines()).hasSize(4);
        assertThat(ended.err()).contains("did you mean 'hikari'?");
    }

    @Test
    void resultDoesNotContainThePassword() {
        String withPassword = url.replace("user=postgres", "user=postgres&password=sesame");
        Ended ended = stress("--url " + withPassword + " -t docs --warmup 0 -T 0.3 --json -" + Runs.ON_A_BUSY_MACHINE);

        assertThat(ended.code()).isZero();
        assertThat(ended.out() + ended.err()).doesNotContain("sesame").contains("password=***");
    }

    @Test
    void reportsAnUnwritableFileBeforeTheRun() {
        assertOneLine(
                stress("--url %s -t docs --json %s".formatted(url, directory.resolve("no/such/file"))),
                ExitCode.USAGE,
                "there is no directory");
    }

    @Test
    void runThatIsNotValidHasAnExitCodeOfItsOwn() {
        TestServer.execute(
                url,
                "create table dear (_id int primary key, data jsonb)",
                "insert into dear values (1, '{}')",
                "create function fail() returns trigger language plpgsql as"
                        + " 'begin raise exception ''no'' using errcode = ''22012''; end'",
                "create trigger fail before update on dear execute function fail()");
        Ended ended = stress("--url " + url + " -t dear --op find_update --warmup 0 -T 0.3 -q");

        assertThat(ended.code()).isEqualTo(ExitCode.NOT_VALID);
        assertThat(ended.out())
                .contains("not valid: No operation succeeded, and ", " failed, most often 22012 (")
                .containsPattern("\n0.0 ops/s, .*: not valid, 1 reason\n");
    }

    @Test
    void brokenFigureLimitGivesExitCodeOneAndTheMeasuredValue() {
        String run = "--url " + url + " --table docs --clients 2 --warmup 0.1 --duration 0.4 -q --fail-if max>60s"
                + Runs.ON_A_BUSY_MACHINE;
        Ended kept = stress(run);
        assertThat(kept.code()).as(kept.out()).isZero();
        assertThat(kept.out().lines().reduce((a, b) -> b).orElse(""))
                .matches("[\\d,.]+ ops/s, p50 \\S+ ms, p99 \\S+ ms: valid, \\d warnings?");

        Ended broken = stress(run + " --fail-if ops>1 --json -");
        assertThat(broken.code()).isEqualTo(ExitCode.LIMIT_BROKEN);
        assertThat(broken.err()).matches("[\\d,.]+ ops/s, .*, limit ops>1 exceeded: valid, \\d warnings?\\R");
        assertThat(Json.readMap(broken.out()).get("limits").toString())
                .contains("limit=max>60s, broken=false, words=max was ")
                .contains("limit=ops>1, broken=true, words=ops/s was ");
        assertThat(stress(run + " --fail-if ops>1").out()).containsPattern("limit exceeded: ops>1: ops/s was \\d");
    }
}
