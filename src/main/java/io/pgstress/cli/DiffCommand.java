package io.pgstress.cli;

import io.pgstress.extra.diff.DiffInput;
import io.pgstress.extra.diff.DiffOptions;
import io.pgstress.extra.diff.DiffSummary;
import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.extra.diff.DiffSummary.RejectedDocument;
import io.pgstress.extra.diff.DiffSummary.TableDiff;
import io.pgstress.extra.diff.DumpDiff;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.interrupt.Part;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Percent;
import io.pgstress.plan.option.Problems;
import io.pgstress.runner.CommandSession;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
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
                "Dumps, as for the import: directories, .bson files, archives, or - for standard input.");
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
        SummaryOutput output = new SummaryOutput(o.get(ImportCommandOptions.JSON), streams);
        output.touch();
        List<Endpoint> named = ImportCommandOptions.server(o);
        tellServer(parsed, named);
        try (DiffInput input = DiffInput.of(arguments(parsed), System.in, ImportCommandOptions.filter(o));
                CommandSession session = CommandSession.open(named, streams.interruption(), NOTHING, streams::note)) {
            Connector connector = session.connector(ImportCommandOptions.login(o));
            Dialect dialect = ImportCommandOptions.dialect(connector, o);
            DiffSummary summary = compare(input, dialect.connector(connector), how, o.get(ImportCommandOptions.QUIET));
            output.write(summary, DiffReport.line(summary), out -> DiffReport.print(summary, out));
            return exitCode(summary, o.get(ImportCommandOptions.MAX_REJECTS));
        }
    }

    private DiffSummary compare(DiffInput input, Connector connector, DiffOptions how, boolean quiet)
            throws SQLException, IOException, InterruptedException {
        streams.interruption().check();
        streams.interruption().enter(Part.ofThread(Thread.currentThread(), "the comparison to stop", NOTHING));
        try (ImportProgress progress = new ImportProgress(streams, quiet, "comparing")) {
            return new DumpDiff(connector, how, progress).run(input);
        } finally {
            streams.interruption().enter(Part.uninterruptible("the command to end", "the comparison is complete"));
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
        private static final int MIN_NAME = 20;

        private DiffReport() {}

        /** The outcome in one line. */
        static String line(DiffSummary s) {
            String what = Counted.of(s.differences(), "difference");
            if (s.differences() == 0) {
                boolean whole = s.rejected() == 0 && s.isComplete();
                what = whole ? "no differences" : "no differences in what could be compared";
            }
            long documents = s.tables().stream().mapToLong(TableDiff::documents).sum();
            long rows = s.tables().stream().mapToLong(TableDiff::rows).sum();
            return Rounded.format(
                    "%s: %s, %s, %.1f s%s",
                    what,
                    Counted.of(documents, "document"),
                    Counted.of(rows, "row"),
                    s.seconds(),
                    s.share() < 1 ? ", a sample of " + Percent.text(s.share()) : "");
        }

        static void print(DiffSummary s, PrintStream out) {
            String names = "%-" + SummaryOutput.width(s.tables().stream().map(TableDiff::collection), MIN_NAME) + "s %-"
                    + SummaryOutput.width(s.tables().stream().map(TableDiff::table), MIN_NAME) + "s";
            out.printf(
                    Locale.ROOT,
                    names + " %12s %12s %12s %13s %13s %11s%n",
                    "collection",
                    "table",
                    "documents",
                    "rows",
                    "equal",
                    "only in dump",
                    "only in table",
                    "different");
            for (TableDiff t : s.tables()) {
                out.printf(
                        Locale.ROOT,
                        names + " %,12d %,12d %,12d %,13d %13s %,11d%n",
                        t.collection(),
                        t.table(),
                        t.documents(),
                        t.rows(),
                        t.equal(),
                        t.onlyInDump(),
                        t.fault().isEmpty() ? String.format(Locale.ROOT, "%,d", t.onlyInTable()) : "unknown",
                        t.different());
                printNotes(t, out);
            }
            s.tables().forEach(t -> printDifferences(t, out));
            if (!s.otherTables().isEmpty()) {
                out.println("not in the dump: " + String.join(", ", s.otherTables()));
            }
            s.leftOut().forEach((name, reason) -> out.println("left out: " + name + ", " + reason));
        }

        private static void printNotes(TableDiff t, PrintStream out) {
            t.notes().forEach(note -> out.println("  " + note));
            if (t.repeated() > 0) {
                String repeat = t.repeated() == 1 ? "document repeats" : "documents repeat";
                out.printf(Locale.ROOT, "  %,d %s an _id of the dump%n", t.repeated(), repeat);
            }
            if (t.repeatedRows() > 0) {
                String repeat = t.repeatedRows() == 1 ? "row repeats" : "rows repeat";
                out.printf(
                        Locale.ROOT,
                        "  %,d %s an _id of the table, which has no primary key%n",
                        t.repeatedRows(),
                        repeat);
            }
            if (t.rejected() > 0) {
                out.printf(
                        Locale.ROOT,
                        t.rejected() == 1
                                ? "  %,d document was not compared, because an import with these options rejects it%n"
                                : "  %,d documents were not compared, because an import with these options rejects them%n",
                        t.rejected());
            }
            if (!t.fault().isEmpty()) {
                out.println("  not complete: " + t.fault());
            }
        }

        private static void printDifferences(TableDiff t, PrintStream out) {
            printAll(t, "only in the dump", t.onlyInDump(), t.idsOnlyInDump(), id -> id, out);
            printAll(t, "only in the table", t.onlyInTable(), t.idsOnlyInTable(), id -> id, out);
            printAll(t, "different", t.different(), t.differentRows(), DiffReport::words, out);
            printAll(t, "rejected", t.rejected(), t.rejects(), DiffReport::words, out);
        }

        private static <T> void printAll(
                TableDiff t, String kind, long count, List<T> named, Function<T, String> words, PrintStream out) {
            if (count == 0) {
                return;
            }
            out.printf(Locale.ROOT, "%s, %s: %,d%n", t.table(), kind, count);
            named.forEach(each -> out.println("  " + words.apply(each)));
            if (named.size() < count) {
                out.printf(Locale.ROOT, "  and %,d more (--limit)%n", count - named.size());
            }
        }

        private static String words(RejectedDocument reject) {
            return (reject.id().isEmpty() ? "without an _id" : reject.id()) + ": " + reject.reason();
        }

        private static String words(DifferentRow row) {
            StringBuilder text = new StringBuilder(row.id());
            for (PathDifference each : row.paths()) {
                text.append("\n    ").append(each.path().isEmpty() ? "the whole document" : each.path());
                text.append(": ").append(each.dump() == null ? "missing" : each.dump());
                text.append(" in the dump, ").append(each.table() == null ? "missing" : each.table());
                text.append(" in the table");
            }
            if (row.more()) {
                text.append("\n    and other paths");
            }
            return row.note() == null
                    ? text.toString()
                    : text.append(": ").append(row.note()).toString();
        }
    }
}
