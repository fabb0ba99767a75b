package io.pgstress.cli;

import io.pgstress.bson.dump.LeftOut;
import io.pgstress.cli.SummaryOutput.SummaryText;
import io.pgstress.extra.diff.DiffInput;
import io.pgstress.extra.diff.DiffOptions;
import io.pgstress.extra.diff.DiffSummary;
import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.extra.diff.DiffSummary.RejectedDocument;
import io.pgstress.extra.diff.DiffSummary.TableDiff;
import io.pgstress.extra.diff.DumpDiff;
import io.pgstress.importer.AbandonableInput;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Percent;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.report.text.Junit;
import io.pgstress.report.text.Junit.TestCase;
import io.pgstress.session.CommandSession;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code stress diff}: compares tables with a dump of mongodump. */
final class DiffCommand extends Command {
    private static final String NOTHING = "nothing was compared; run the same command again";

    private static final Option<OnDuplicate> ON_DUPLICATE = Option.of(
                    "on-duplicate", "WHAT", Forms.choice(OnDuplicate.class))
            .byDefault("fail")
            .help(
                    Group.COMPARISON,
                    "as in the import: fail, skip or replace",
                    "Of documents with the same _id, the row must equal any (fail), the first (skip) or the last (replace).");

    private static final Option<Double> SAMPLE = Option.of("sample", "SHARE", Percent::parse)
            .byDefault("100%")
            .refusedIf(DiffCommand::sample)
            .help(
                    Group.COMPARISON,
                    "compare only this share",
                    "Such as 5% or 0.05. The hash of _id decides which documents and rows.");

    private static final Option<Integer> LIMIT = Option.of("limit", "N", Forms.integer(0, 1_000_000))
            .byDefault("20")
            .help(Group.COMPARISON, "differences of each kind to list per table", "All are counted.");

    private static final List<Option<?>> OPTIONS =
            Option.join(List.of(SAMPLE, LIMIT, ON_DUPLICATE), ImportCommandOptions.OF_DUMP);

    DiffCommand(Streams streams) {
        super(streams, Subcommand.DIFF, OPTIONS);
        argument(
                "1..*",
                "DUMP",
                "Dumps, as for the import: directories, .bson or .json files, archives, or - for standard input.");
    }

    private static String sample(Options o) {
        double share = o.get(SAMPLE);
        return share > 0 && share <= 1 ? "" : "must be above 0 and at most 100%, was " + Percent.text(share);
    }

    @Override
    int run(ParseResult parsed, Options o, Problems problems) throws Exception {
        problems.throwIfAny();
        DiffOptions how = new DiffOptions(
                ImportCommandOptions.documents(o),
                ImportCommandOptions.generatesIds(o),
                ImportCommandOptions.naming(o),
                o.get(ON_DUPLICATE),
                o.get(SAMPLE),
                o.get(LIMIT));
        SummaryOutput output = new SummaryOutput(
                o.get(ImportCommandOptions.JSON),
                o.get(ImportCommandOptions.JUNIT),
                o.get(ImportCommandOptions.QUIET),
                streams);
        List<Endpoint> named = ImportCommandOptions.server(o);
        endIfOnlyChecked();
        output.touch();
        streams.interruption().enter(CommandPart.ofThread(Thread.currentThread(), "", NOTHING));
        InputStream stdin = new AbandonableInput(() -> System.in);
        try (DiffInput input = DiffInput.of(arguments(parsed), stdin, ImportCommandOptions.filter(o));
                CommandSession session = opened(parsed, named, NOTHING)) {
            Connector connector = session.connector(ImportCommandOptions.login(o, streams.passwords()));
            Dialect dialect = ImportCommandOptions.dialect(connector, o);
            DiffSummary summary = compare(input, dialect.connector(connector), how, o.get(ImportCommandOptions.QUIET));
            long maxRejects = o.get(ImportCommandOptions.MAX_REJECTS);
            output.write(
                    summary,
                    out -> DiffReport.print(summary, out),
                    out -> {},
                    DiffReport.line(summary),
                    "diff",
                    DiffReport.cases(summary, maxRejects));
            return exitCode(summary, maxRejects);
        }
    }

    private DiffSummary compare(DiffInput input, Connector connector, DiffOptions how, boolean quiet)
            throws SQLException, IOException, InterruptedException {
        streams.interruption().check();
        streams.interruption().enter(CommandPart.ofThread(Thread.currentThread(), "the comparison to stop", NOTHING));
        try (ImportProgress progress = new ImportProgress(streams, quiet, "comparing")) {
            DiffSummary summary = new DumpDiff(connector, how, progress).run(input);
            progress.end();
            return summary;
        } finally {
            streams.interruption()
                    .enter(CommandPart.uninterruptible("the command to end", "the comparison is complete"));
        }
    }

    private static int exitCode(DiffSummary summary, long maxRejects) {
        if (summary.differences() > 0) {
            return ExitCode.LIMIT_BROKEN;
        }
        return summary.isComplete() && summary.rejected() <= maxRejects ? ExitCode.DONE : ExitCode.DATA;
    }

    /** The outcome of a comparison of tables with a dump, as text and as JSON. */
    public static final class DiffReport {
        private DiffReport() {}

        /** The outcome in one line. */
        static String line(DiffSummary s) {
            long documents = s.tables().stream().mapToLong(TableDiff::documents).sum();
            long rows = s.tables().stream().mapToLong(TableDiff::rows).sum();
            return Rounded.format(
                    "%s: %s, %s, %.1f s%s",
                    outcome(s), Counted.of(documents, "document"), Counted.of(rows, "row"), s.seconds(), sample(s));
        }

        /** Follows a comma-separated list; empty if all documents were compared. */
        private static String sample(DiffSummary s) {
            return s.share() < 1 ? ", a sample of " + Percent.text(s.share()) : "";
        }

        /** One per table, and whether few enough documents were rejected. */
        static List<TestCase> cases(DiffSummary s, long maxRejects) {
            List<TestCase> cases = new ArrayList<>();
            for (TableDiff t : s.tables()) {
                boolean differs = t.differences() > 0;
                cases.add(TestCase.unless(
                        t.collection() + " in " + t.table(),
                        differs ? Junit.Outcome.DIFFERENCE : Junit.Outcome.INCOMPLETE,
                        List.of(
                                differs
                                        ? Rounded.format(
                                                "%,d only in the dump, %s only in the table, %,d different",
                                                t.onlyInDump(),
                                                t.fault().isEmpty()
                                                        ? Figures.count(t.onlyInTable())
                                                        : "an unknown number",
                                                t.different())
                                        : "",
                                t.fault(),
                                t.hidden())));
            }
            cases.add(ImportReport.rejects(s.rejected(), maxRejects));
            return cases;
        }

        private static String outcome(DiffSummary s) {
            if (s.differences() > 0) {
                return Counted.of(s.differences(), "difference");
            }
            if (!s.isComplete() && s.tables().stream().allMatch(t -> t.documents() == 0)) {
                return "nothing could be compared";
            }
            return s.rejected() == 0 && s.isComplete() ? "no differences" : "no differences in what could be compared";
        }

        static void print(DiffSummary s, SummaryText out) {
            out.line(outcome(s) + " between " + Counted.of(s.tables().size(), "table") + " and the dump" + sample(s));
            out.table(table(s.tables()));
            s.tables().forEach(t -> printDifferences(t, out));
            s.tables().forEach(t -> printRemarks(t, out));
            if (!s.otherTables().isEmpty()) {
                out.line("note: not in the dump: " + Counted.first(s.otherTables(), ", "));
            }
            LeftOut.lines(s.leftOut()).forEach(each -> out.line("note: not compared: " + each));
        }

        private static TextTable table(List<TableDiff> tables) {
            Columns<TableDiff> columns = new Columns<TableDiff>().add("table", TableDiff::table);
            boolean hasOtherNames = ImportReport.hasOtherNames(tables, TableDiff::collection, TableDiff::table);
            if (hasOtherNames) {
                columns.add("collection", TableDiff::collection);
            }
            columns.count("documents", TableDiff::documents)
                    .count("rows", TableDiff::rows)
                    .count("equal", TableDiff::equal)
                    .count("only in dump", TableDiff::onlyInDump)
                    .add("only in table", t -> t.fault().isEmpty() ? t.onlyInTable() : null, Figures::count)
                    .count("different", TableDiff::different);
            return TextTable.of(hasOtherNames ? 2 : 1, columns, tables).optional("equal", "collection");
        }

        private static void printRemarks(TableDiff t, SummaryText out) {
            if (!t.fault().isEmpty()) {
                out.line("error: " + t.table() + " was not compared completely: " + t.fault());
            }
            if (!t.hidden().isEmpty()) {
                out.line("error: " + t.table() + " was not compared completely: " + t.hidden());
            }
            if (t.rejected() > 0) {
                out.line(
                        "warning: " + t.table() + ": " + Counted.of(t.rejected(), "document") + " not compared, because"
                                + " an import with these options rejects " + (t.rejected() == 1 ? "it" : "them"));
            }
            t.notes().forEach(note -> out.line("note: " + t.table() + ": " + note));
            if (t.repeated() > 0) {
                out.line("note: " + t.table() + ": " + Counted.of(t.repeated(), "document")
                        + (t.repeated() == 1 ? " repeats" : " repeat") + " an _id of the dump");
            }
            if (t.repeatedRows() > 0) {
                out.line("note: " + t.table() + ": " + Counted.of(t.repeatedRows(), "row")
                        + (t.repeatedRows() == 1 ? " repeats" : " repeat")
                        + " an _id of the table, which has no primary key");
            }
        }

        private static void printDifferences(TableDiff t, SummaryText out) {
            printAll(t, "only in the dump", t.onlyInDump(), t.idsOnlyInDump(), Stream::of, out);
            printAll(t, "only in the table", t.onlyInTable(), t.idsOnlyInTable(), Stream::of, out);
            printAll(t, "different", t.different(), t.differentRows(), DiffReport::lines, out);
            printAll(t, "rejected", t.rejected(), t.rejects(), reject -> Stream.of(words(reject)), out);
        }

        private static <T> void printAll(
                TableDiff t,
                String kind,
                long count,
                List<T> listed,
                Function<T, Stream<String>> lines,
                SummaryText out) {
            if (count == 0) {
                return;
            }
            out.line(String.format(Locale.ROOT, "%s, %s: %,d", t.table(), kind, count));
            listed.stream().flatMap(lines).forEach(each -> out.line("  " + each));
            if (!listed.isEmpty() && listed.size() < count) {
                out.line(String.format(Locale.ROOT, "  and %,d more (--limit)", count - listed.size()));
            }
        }

        private static String words(RejectedDocument reject) {
            return (reject.id().isEmpty() ? "without an _id" : reject.id()) + ": " + reject.reason();
        }

        private static Stream<String> lines(DifferentRow row) {
            List<String> lines = new ArrayList<>(List.of(row.id() + (row.note() == null ? "" : ": " + row.note())));
            for (PathDifference each : row.paths()) {
                lines.add("  " + (each.path().isEmpty() ? "the whole document" : each.path()) + ": "
                        + (each.dump() == null ? "missing" : each.dump()) + " in the dump, "
                        + (each.table() == null ? "missing" : each.table()) + " in the table");
            }
            if (row.more()) {
                lines.add("  and other paths");
            }
            return lines.stream();
        }
    }
}
