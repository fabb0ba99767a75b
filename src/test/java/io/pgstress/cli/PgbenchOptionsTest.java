package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.script.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;

/** Command lines of pgbench either work or are refused with the command line to type. */
final class PgbenchOptionsTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-S -c 8 -T 60 -M prepared -d mydb       | --op select_only -c 8 -T 60 -M prepared -d mydb",
                "-c10 -T60 -C -b tpcb-like -h db -p 5433 | --op tpcb -c 10 -T 60 --connect per-transaction --host db -p 5433",
                "-b tpcb@1 -b select-only@5 -hdb -U bob  | --op tpcb,select_only:5 --host db -U bob",
                "-b se -R 100 -L 50 -P 1 -T 10           | --op select_only -R 100 --latency-limit 50ms -P 1 -T 10",
                "-S -F 80 --unlogged-tables -s 50        | --op select_only --fillfactor 80 --unlogged -s 50",
                "-N -c 8                                 | --op simple_update -c 8",
                "-n -N                                   | --op simple_update --no-reset",
                "-n -S -b si@2                           | --op simple_update:2,select_only --no-reset",
                "-n -S                                   | --op select_only",
                "-b tpcb -b se@0 -b tpcb@2               | --op tpcb:3",
                "--builtin=simple-update -D scale=3      | --op simple_update --define scale=3",
                "--select-only --client=4 --time=9       | --op select_only --clients 4 --duration 9",
                "-S --random-seed=42 --max-tries=10      | --op select_only --seed 42 --max-tries 10",
                "--builtin=tpcb-like --progress=5 --protocol=extended --tablespace=fast"
                        + " | --op tpcb --interval 5 --statement extended --tablespaces fast"
            })
    void optionsWithAnExactEquivalentWork(String typed, String meant) {
        assertThat(spec(typed)).isEqualTo(spec(meant));
    }

    @Test
    void simpleIsPlain() {
        assertThat(spec("-S -M simple").get(RunOptions.STATEMENT)).isEqualTo(StatementMode.PLAIN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-i -s 50 mydb                       | -i (a run creates missing tables), mydb (-d names the database)"
                        + " | --op tpcb -s 50 -d mydb",
                "-c 10 -j 2 -T 60 mydb               | -j (clients need no threads), mydb (-d names the database)"
                        + " | --op tpcb -c 10 -T 60 -d mydb",
                "-S -M prepared -c 8 mydb            | mydb (-d names the database)"
                        + " | --op select_only -M prepared -c 8 -d mydb",
                "-h db -p 5433 -U bob mydb           | mydb (-d names the database)"
                        + " | --op tpcb --host db -p 5433 -U bob -d mydb",
                "-n -j 2 -N                          | -j (clients need no threads) | --op simple_update --no-reset",
                "-b si@2 -b se@3 mydb                | mydb (-d names the database) | -b si@2 -b se@3 -d mydb",
                "-t 1000 -c 8                        | -t (it is the table; a run has a duration, such as 60 s) | --op tpcb -T 60 -c 8",
                "--transactions=1000                 | --transactions (a run has a duration, such as 60 s) | --op tpcb --duration 60",
                "-r -T 10                            | -r (it is in every report) | --op tpcb -T 10",
                "--latency-limit=50 -j 4              | -j (clients need no threads) | --op tpcb --latency-limit 50ms",
                "-l --aggregate-interval=10          | -l (--pgbench-log names the file) | --op tpcb --pgbench-log pgbench_log --aggregate-interval 10",
                "-l --sampling-rate=0.01             | -l (--pgbench-log names the file), --sampling-rate (all operations are logged)"
                        + " | --op tpcb --pgbench-log pgbench_log",
                "--max-tries=10 --failures-detailed  | --failures-detailed (it is in every report)"
                        + " | --op tpcb --max-tries 10",
                "-P 5 --progress-timestamp           | --progress-timestamp (the CSV has times)"
                        + " | --op tpcb -P 5 --csv tables",
                "-n -v -S                            | -v (tpcb vacuums tellers and branches) | --op select_only",
                "--partitions=8 --foreign-keys       | --partitions, --foreign-keys (a run uses the tables that"
                        + " pgbench -i made) | --op tpcb",
                "-t mine --verbose-errors            | --verbose-errors (--verbose shows more of an error)"
                        + " | -t mine --verbose",
                "--show-script=select-only           | --show-script (operations, with their SQL) | operations select_only",
            })
    void otherOptionsAreRefusedWithTheCommandLineToType(String typed, String differs, String instead) {
        CommandLineTest.assertOneLine(
                stress(typed), ExitCode.USAGE, "stress: unlike pgbench: " + differs + "; type: stress " + instead);
        if (!instead.contains("operations")) { // neither another command nor a file that does not exist
            assertThatCode(() -> spec(instead)).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "oltp_read_write --tables=4 --table-size=1000 run"
                        + " | run (--op names the operation, and missing tables are created)"
                        + " | --op oltp_read_write --tables 4 --table-rows 1000",
                "/usr/share/sysbench/oltp_insert.lua --threads=8 --time=60 prepare"
                        + " | prepare (a run creates and fills missing tables)"
                        + " | --op oltp_insert --threads 8 --duration 60",
                "--op oltp_read_only --db-driver=pgsql --pgsql-host=db --pgsql-password=sesame --histogram"
                        + " | --db-driver (every server here is PostgreSQL's kind), --pgsql-host (servers are named as for psql),"
                        + " --pgsql-password (PGPASSWORD or ~/.pgpass has it), --histogram (it is in every report)"
                        + " | --op oltp_read_only --host db",
            })
    void optionsOfSysbenchAreRefusedWithTheCommandLineToType(String typed, String differs, String instead) {
        assertThat(stress(typed).err()).startsWith("stress: unlike sysbench: " + differs + "; type: stress ");
        assertThatCode(() -> spec(instead)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "find_one             | 'find_one' is not a command; --op names operations; type: stress --op find_first",
                "find_frist -c 8      | 'find_frist' is not a command; --op names operations; type: stress --op find_first -c 8",
                "tpcb -j 4            | unlike pgbench: -j (clients need no threads), tpcb (--op names operations);"
                        + " type: stress --op tpcb",
                "help select-only     | 'select-only' is not a command; for the operation, type: stress operations select_only",
                "my_data              | 'my_data' is not a command; for a database of this name, type:"
                        + " stress --op tpcb -d my_data",
                "mongodump            | 'mongodump' is not a command; to load what mongodump or mongoexport wrote, type:"
                        + " stress import DUMP",
                "mongoimport --db shop --file a.json | 'mongoimport' is not a command; to load what mongodump or"
                        + " mongoexport wrote, type: stress import DUMP",
                "import dump --uri=mongodb://db | --uri: is not an option; use --url, which names a server of PostgreSQL",
                "import dump --drop   | --drop: is not an option; use --if-exists drop",
                "rehearse dump --drop | --drop: is not an option; use --if-exists drop",
                "diff dump --gzip     | --gzip: is not needed; compressed files are recognized",
                "-c 8 tpcb            | unlike pgbench: tpcb (-d names the database); type: stress --op tpcb -c 8 -d tpcb",
                "oltp_read_only run --mysql-host=db --mysql-password=sesame | unlike sysbench: --mysql-host,"
                        + " --mysql-password (every server here is PostgreSQL's kind), run (--op names the operation, and"
                        + " missing tables are created); type: stress --op oltp_read_only",
            })
    void wordWhereACommandCouldBeIsAnOperationOrADatabase(String typed, String answer) {
        assertThat(stress(typed).err().strip()).isEqualTo("stress: " + answer);
    }

    /** The answer would name an option of another command. */
    @ParameterizedTest
    @ValueSource(strings = {"--drop -c 1", "diff dump --drop", "--gzip", "generate d --gzip", "--archive=a"})
    void optionOfImportIsNotAnsweredInOtherCommands(String typed) {
        assertThat(stress(typed).err())
                .contains("Unknown option")
                .doesNotContain("--if-exists", "recognized", "archive after");
    }

    /** A load is not what cleanup asks for. */
    @Test
    void cleanupOfSysbenchIsNotAnsweredByARun() {
        CommandLineTest.assertOneLine(
                stress("oltp_read_write --tables=3 cleanup"),
                ExitCode.USAGE,
                "stress: unlike sysbench: cleanup (tables are kept for the next run);"
                        + " type: psql -c \"drop table if exists sbtest1, sbtest2, sbtest3\"");
    }

    @Test
    void optionsOfSysbenchWithAnExactEquivalentWork() {
        assertThat(
                        spec(
                                "--op oltp_point_select --table-size=500 --rand-type=special --report-interval=1 --rand-seed=7 --time=9"))
                .isEqualTo(
                        spec("--op oltp_point_select --table-rows 500 --key-distribution special -P 1 --seed 7 -T 9"));
    }

    @Test
    void scriptsAreOperations() throws IOException {
        Path my = Files.writeString(directory.resolve("my.sql"), "select :a;");
        Path other = Files.writeString(directory.resolve("select_only.sql"), "select 2;");

        RunSpec spec = spec("-f " + my + "@3 -S -f " + other + " -f " + my + " -b tpcb@2 -Da=5 -s 7 -n");

        assertThat(spec.mixLabel()).isEqualTo("my:3,select_only_2:1,my_2:1,tpcb:2,select_only:1");
        assertThat(spec.get(Script.DEFINE)).containsExactly(Map.entry("a", "5"));
        assertThat(CustomOperations.scripts(spec.options()))
                .extracting(Script::file)
                .containsExactly(my.toString(), other.toString(), my.toString());
        assertThat(spec.get(RunOptions.NO_RESET)).isTrue();
        assertThat(spec("--operations " + my + " -f " + my).mixLabel()).isEqualTo("my_2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-b s               | --builtin: 's' is ambiguous: select-only, simple-update",
                "-b list            | --builtin: 'list' is not a script of pgbench; they are tpcb-like, simple-update and"
                        + " select-only",
                "-b se@one          | --builtin: the weight of 'se' must be a whole number, was 'one'",
                "-b se@0            | the weight of every script is 0",
                "-f my.sql@-1       | --file: the weight of 'my.sql' must be at least 0, was -1",
                "-f nowhere.sql     | --file: nowhere.sql cannot be read: there is no such file",
                "-f nowhere.sql@3   | --file: nowhere.sql cannot be read: there is no such file",
                "-S -D foo          | --define: must be NAME=VALUE, was 'foo'",
                "-S -D 1x=2         | --define: '1x' is not the name of a variable: it must be letters, digits and _",
                "compare -b list --vary statement=plain,prepared | 'list' is not a script of pgbench",
                "tune -b list       | 'list' is not a script of pgbench",
                "explain -f nowhere.sql | --file: nowhere.sql cannot be read",
            })
    void mistakesInScriptsAreUsage(String typed, String problem) {
        CommandLineTest.assertOneLine(stress(typed), ExitCode.USAGE, problem);
    }

    @Test
    void passwordsAreNotRepeated() {
        assertThat(stress("--url jdbc:postgresql://db/x?password=sesame -j 2").err())
                .doesNotContain("sesame")
                .contains("password=***'");
    }

    @Test
    void helpNeedsNoHost() {
        assertThat(stress("-h").out()).startsWith("Usage: stress [OPTIONS]").doesNotContain("DBNAME", "--jobs");
        assertThat(stress("compare -h").out()).startsWith("Usage: stress compare");
    }

    @Test
    void severalArgumentsAreNoDatabase() {
        CommandLineTest.assertOneLine(stress("-c 8 one two"), ExitCode.USAGE, "'one' is not a command; see --help");
    }

    private static RunSpec spec(String line) {
        ParseResult parsed = parsed(line);
        return RunOptionsCommand.READER.read(
                PgbenchOptions.read(parsed, RunOptionsCommand.given(parsed, Purpose.RUN)), Purpose.RUN);
    }

    private static ParseResult parsed(String line) {
        List<String> words = Commands.words(List.of(line.split(" ")));
        return Commands.of(new Streams(System.out, System.err), words).parseArgs(Commands.arguments(words));
    }
}
