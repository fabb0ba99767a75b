package io.pgstress.report.text;

import io.pgstress.machine.MachineProfile;
import io.pgstress.report.format.TextTable;
import io.pgstress.report.text.Facts.Fact;
import io.pgstress.result.Comparison;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.text.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The parts of a result for the plain-text formats: first what was measured, then the {@linkplain #statements limits, reasons and
 * warnings}, the note, and the setup.
 *
 * @param title what was run, in one line
 * @param verdict sentences with the conclusions
 * @param result the main figures
 * @param tables further figures; empty tables are omitted
 * @param details figures that the console shows only with {@code --verbose}
 * @param note a sentence on how to read the figures; may be empty
 * @param setup facts about servers, data and clients
 */
public record TextReport(
        String title,
        List<String> verdict,
        List<Fact> result,
        List<TextTable> tables,
        List<TextTable> details,
        String note,
        List<Fact> setup) {

    /** Reports show this many warnings, the most harmful ones, before the reader asks for the others. */
    private static final int FIRST_WARNINGS = 3;

    public static TextReport of(Result finding) {
        if (finding instanceof Comparison comparison) {
            return ComparisonText.of(comparison);
        }
        if (finding instanceof Scaling scaling) {
            return ScalingText.of(scaling);
        }
        if (finding instanceof RateSearch search) {
            return RateSearchText.of(search);
        }
        if (finding instanceof Rehearsal rehearsal) {
            return RehearsalText.of(rehearsal);
        }
        return run((RunResult) finding);
    }

    /** What the page says in words, beside its charts and tables. */
    public static List<Fact> factsOfPage(Result result) {
        return RunDetails.ofPage(result).all();
    }

    private static TextReport run(RunResult result) {
        RunDetails facts = new RunDetails(result);
        List<MachineProfile> machines = result.serverProfile().machines().all();
        RunTables tables = new RunTables(result);
        return new TextReport(
                facts.title(),
                List.of(),
                facts.result().all(),
                result.operations().size() == 1
                        ? List.of(tables.rateSteps(), tables.hosts())
                        : List.of(tables.operations(), tables.rateSteps(), tables.hosts()),
                List.of(
                        tables.published(),
                        tables.parts(),
                        tables.nodes(),
                        MachineTables.cpus(machines),
                        MachineTables.disks(machines)),
                result.run().workload().hasRate() ? ConsoleReport.OPEN : "",
                facts.setup().all());
    }

    /** What a reader must know before the figures, in one line of text. */
    public record Statement(Kind kind, String text) {
        @Override
        public String toString() {
            return kind.label + ": " + text;
        }
    }

    /**
     * What a reader must know at once, and what can be left to those who ask.
     *
     * @param first the broken limits, the reasons and the most harmful warnings
     * @param more the other warnings
     */
    public record Statements(List<Statement> first, List<Statement> more) {
        List<Statement> all() {
            return Stream.of(first, more).flatMap(List::stream).toList();
        }

        /** {@code and 4 more warnings}; only if there are some. */
        String moreWords() {
            return "and " + Counted.of(more.size(), "more warning");
        }
    }

    /** The kinds of statements, the most important first. */
    public enum Kind {
        LIMIT_EXCEEDED("limit exceeded"),
        NOT_VALID("not valid"),
        WARNING("warning");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /** The limits that are broken and the remarks of a result, in the order in which every report has them. */
    static Statements statements(Result result) {
        List<Statement> warnings = result.warnings().stream()
                .map(warning -> new Statement(Kind.WARNING, warning.sentences()))
                .toList();
        int shown = Math.min(FIRST_WARNINGS, warnings.size());
        List<Statement> first = new ArrayList<>(beforeWarnings(result));
        first.addAll(warnings.subList(0, shown));
        return new Statements(first, warnings.subList(shown, warnings.size()));
    }

    private static List<Statement> beforeWarnings(Result result) {
        List<Statement> all = new ArrayList<>();
        if (result instanceof Comparison comparison) {
            comparison.limits().stream()
                    .filter(Comparison.LimitCheck::broken)
                    .map(limit -> limit.limit() + ", " + limit.variant() + ": " + limit.words())
                    .forEach(text -> all.add(new Statement(Kind.LIMIT_EXCEEDED, text)));
        } else if (result instanceof RunResult run) {
            run.limits().stream()
                    .filter(RunResult.LimitCheck::broken)
                    .map(limit -> limit.limit() + ": " + limit.words())
                    .forEach(text -> all.add(new Statement(Kind.LIMIT_EXCEEDED, text)));
        }
        result.reasons().forEach(reason -> all.add(new Statement(Kind.NOT_VALID, reason.sentences())));
        return all;
    }
}
