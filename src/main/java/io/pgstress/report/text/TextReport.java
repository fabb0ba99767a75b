package io.pgstress.report.text;

import io.pgstress.machine.MachineProfile;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Comparison;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import java.util.List;

/**
 * The parts of a result for the plain-text formats.
 *
 * @param title what was run, in one line
 * @param head facts about the setup
 * @param tables the figures; empty tables are omitted
 * @param details further figures, which the console shows only with {@code --verbose}
 * @param note note on the first table
 * @param verdict sentences with the conclusions
 * @param end further facts
 */
public record TextReport(
        String title,
        List<Fact> head,
        List<TextTable> tables,
        List<TextTable> details,
        String note,
        List<String> verdict,
        List<Fact> end) {
    /** A report without further figures. */
    TextReport(
            String title, List<Fact> head, List<TextTable> tables, String note, List<String> verdict, List<Fact> end) {
        this(title, head, tables, List.of(), note, verdict, end);
    }

    public static TextReport of(Result finding) {
        if (finding instanceof Comparison comparison) {
            return ComparisonText.of(comparison);
        }
        if (finding instanceof Scaling scaling) {
            return ScalingText.of(scaling);
        }
        return run((RunResult) finding);
    }

    private static TextReport run(RunResult result) {
        SetupFacts head = new SetupFacts(result);
        List<MachineProfile> machines = result.serverProfile().allMachines();
        RunTables tables = new RunTables(result);
        return new TextReport(
                head.title(),
                head.all(),
                List.of(tables.operations(), tables.rateSteps(), tables.hosts()),
                List.of(
                        tables.published(),
                        tables.parts(),
                        tables.nodes(),
                        MachineTables.cpus(machines),
                        MachineTables.disks(machines)),
                result.run().workload().hasRate() ? ConsoleReport.OPEN : ConsoleReport.CLOSED,
                List.of(),
                new OutcomeFacts(result).all());
    }
}
