package io.pgstress.cli;

import io.pgstress.extra.diff.DiffInput;
import io.pgstress.extra.diff.DiffOptions;
import io.pgstress.extra.diff.DiffSummary;
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
import io.pgstress.target.Cluster;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code stress diff}: compares tables with a dump of mongodump. */
final class DiffCommand extends Command {
    private static final String NOTHING = "nothing was compared; run the same command again";

    private static final Option<OnDuplicate> ON_DUPLICATE = Option.of(
                    "on-duplicate", "WHAT", Forms.choice(OnDuplicate.class))
            .byDefault("fail")
            .help(
                    Group.COMPARISON,
                    "As in the import. Of documents with the same _id, the row must equal any (fail), the first (skip)"
                            + " or the last (replace).");

    private static final Option<Double> SAMPLE = Option.of("sample", "SHARE", Percent::parse)
            .byDefault("100%")
            .refusedIf(DiffCommand::sample)
            .help(
                    Group.COMPARISON,
                    "Compares only this share, such as 5% or 0.05; the hash of _id decides which documents and rows.");

    private static final Option<Integer> LIMIT = Option.of("limit", "N", Forms.integer(0, 1_000_000))
            .byDefault("20")
            .help(Group.COMPARISON, "Differences of each kind to name in each table; all are counted.");

    private static final List<Option<?>> OPTIONS = Stream.concat(
                    Stream.of(SAMPLE, LIMIT, ON_DUPLICATE), ImportCommandOptions.OF_DUMP.stream())
            .toList();

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
                ConversionOptions.documents(o),
                ConversionOptions.generatesIds(o),
                DumpOptions.naming(o),
                o.get(ON_DUPLICATE),
                o.get(SAMPLE),
                o.get(LIMIT));
        String json = o.get(ImportCommandOptions.JSON).map(Path::toString).orElse(null);
        DiffReport.touch(json);
        List<Endpoint> named = o.get(ImportCommandOptions.URL).map(List::of).orElse(List.of());
        tellServer(streams, parsed, named);
        try (DiffInput input = DiffInput.of(arguments(parsed), System.in, DumpOptions.filter(o));
                CommandSession session = CommandSession.open(named, streams.interruption(), NOTHING, streams::note)) {
            Connector connector = session.connector(ImportCommandOptions.login(o));
            DiffSummary summary = compare(
                    input,
                    ready(connector, o.get(ImportCommandOptions.TARGET)),
                    how,
                    o.get(ImportCommandOptions.QUIET));
            return report(summary, o.get(ImportCommandOptions.MAX_REJECTS), json);
        }
    }

    private static Connector ready(Connector connector, String target) {
        try (Connection connection = connector.open(SessionPurpose.CONTROL)) {
            Dialect dialect = Dialects.of(target, connection);
            Cluster.check(connector, dialect);
            return dialect.sessions().connector(connector);
        } catch (SQLException e) {
            throw Target.unreachable(connector.endpoint(), e);
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

    private int report(DiffSummary summary, long maxRejects, @Nullable String json) throws IOException {
        DiffReport.write(summary, json, streams);
        if (summary.differences() > 0) {
            return ExitCode.LIMIT_BROKEN;
        }
        return summary.isComplete() && summary.rejected() <= maxRejects ? ExitCode.DONE : ExitCode.DATA;
    }
}
