package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParseResult;

/** Command lines of pgbench either work or are refused with the command line to type. */
final class PgbenchOptionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-S -c 8 -T 60 -M prepared -d mydb       | --op select_only -c 8 -T 60 -M prepared -d mydb",
                "-c10 -T60 -C -b tpcb-like -h db -p 5433 | --op tpcb -c 10 -T 60 --connect per-transaction --host db -p 5433",
                "-b tpcb@1 -b select-only@5 -hdb -U bob  | --op tpcb:1,select_only:5 --host db -U bob",
                "-b se -R 100 -L 50 -P 1 -T 10           | --op select_only -R 100 --latency-limit 50ms -P 1 -T 10",
                "-S -F 80 --unlogged-tables -s 50        | --op select_only --fillfactor 80 --unlogged -s 50",
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
                "-b simple-update@2 -b select-only@3 | -b (there is no simple-update) | --op tpcb:2,select_only:3",
                "-N -c 8                             | -N (there is no simple-update) | --op tpcb -c 8",
                "-t 1000 -c 8                        | -t (it is the table; a run has a duration, such as 60 s) | --op tpcb -T 60 -c 8",
                "--transactions=1000                 | --transactions (a run has a duration, such as 60 s) | --op tpcb --duration 60",
                "-r -T 10                            | -r (it is in every report) | --op tpcb -T 10",
                "--latency-limit=50 -j 4              | -j (clients need no threads) | --op tpcb --latency-limit 50ms",
                "-l --aggregate-interval=10          | -l (there is no log of single transactions),"
                        + " --aggregate-interval (-P is the length of the CSV's intervals) | --op tpcb --csv tables",
                "-l --sampling-rate=0.01             | -l, --sampling-rate (there is no log of single transactions)"
                        + " | --op tpcb --csv tables",
                "--max-tries=10 --failures-detailed  | --failures-detailed (it is in every report)"
                        + " | --op tpcb --max-tries 10",
                "-P 5 --progress-timestamp           | --progress-timestamp (the CSV has times)"
                        + " | --op tpcb -P 5 --csv tables",
                "-S -D scale=3                       | -D (values are in the file of --operations) | --op select_only",
                "-n -v -S                            | -n, -v (tpcb vacuums tellers and branches) | --op select_only",
                "--partitions=8 --foreign-keys       | --partitions, --foreign-keys (a run uses the tables that"
                        + " pgbench -i made) | --op tpcb",
                "-t mine --verbose-errors            | --verbose-errors (--verbose shows more of an error)"
                        + " | -t mine --verbose",
                "-b list                             | -b (operations, with their SQL) | operations",
                "--show-script=select-only           | --show-script (operations, with their SQL) | operations",
                "-f my.sql@3 -f dir/b.sql            | -f (statements are in YAML, see docs/operations.md)"
                        + " | --op my:3,b --operations my.yaml",
            })
    void otherOptionsAreRefusedWithTheCommandLineToType(String typed, String differs, String instead) {
        CommandLineTest.assertOneLine(
                stress(typed), ExitCode.USAGE, "stress: unlike pgbench: " + differs + "; type: stress " + instead);
        if (!instead.contains("operations")) { // neither another command nor a file that does not exist
            assertThatCode(() -> spec(instead)).doesNotThrowAnyException();
        }
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
