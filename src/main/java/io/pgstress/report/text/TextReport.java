package io.pgstress.report.text;

import io.pgstress.report.format.TextTable;
import io.pgstress.result.Comparison;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import java.util.List;

/**
 * A finding in words and tables, for the formats of plain text.
 *
 * @param title what was done, in one line
 * @param head what else there is to say of that
 * @param tables the figures; those that are empty are not shown
 * @param details more figures, which the console shows only with {@code --verbose}
 * @param note what must stand beside the first table
 * @param verdict sentences of what follows from the figures
 * @param end what else to know
 */
public record TextReport(
        String title,
        List<Fact> head,
        List<TextTable> tables,
        List<TextTable> details,
        String note,
        List<String> verdict,
        List<Fact> end) {
    /** One without more figures. */
    TextReport(
            String title, List<Fact> head, List<TextTable> tables, String note, List<String> verdict, List<Fact> end) {
        this(title, head, tables, List.of(), note, verdict, end);
    }

    public static TextReport of(Result finding) {
        if (finding instanceof Comparison comparison) {
            return ComparisonText.tell(comparison);
        }
        if (finding instanceof Scaling scaling) {
            return ScalingText.tell(scaling);
        }
        return run((RunResult) finding);
    }

    private static TextReport run(RunResult result) {
        SetupFacts head = new SetupFacts(result);
        OperationTables tables = new OperationTables(result);
        return new TextReport(
                head.title(),
                head.all(),
                List.of(tables.operations(), tables.rateSteps()),
                List.of(tables.parts(), tables.nodes()),
                result.run().workload().hasRate() ? ConsoleReport.OPEN : ConsoleReport.CLOSED,
                List.of(),
                new OutcomeFacts(result).all());
    }
}
