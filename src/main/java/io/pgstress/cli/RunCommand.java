package io.pgstress.cli;

import io.pgstress.dataset.Table;
import io.pgstress.importer.BundledData;
import io.pgstress.interrupt.Interruption;
import io.pgstress.interrupt.Part;
import io.pgstress.operation.catalog.Operations;
import io.pgstress.plan.FigureLimit;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.target.Target;
import io.pgstress.target.settings.AlteredSettings;
import io.pgstress.target.settings.SettingsCheck;
import io.pgstress.verdict.FigureLimits;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The main command: one run, reported. */
final class RunCommand implements Callable<Integer> {
    private static final String NOTHING = "nothing was measured";

    private final Streams streams;
    private final ReportOptions reports;
    private final CommandSpec spec;

    private RunCommand(Streams streams) {
        this.streams = streams;
        this.reports = new ReportOptions(streams);
        this.spec = CommandSpec.wrapWithoutInspection(this);
        spec.name("stress")
                .mixinStandardHelpOptions(true)
                .usageMessage()
                .description(
                        "Puts operations on jsonb tables of PostgreSQL, Citus or Postgres-XL under load and reports"
                                + " what can be trusted. Without --url there is an embedded PostgreSQL with sample data.")
                .sortOptions(false)
                .abbreviateSynopsis(true);
        reports.addTo(spec);
        List<OptionSpec> own = new ArrayList<>(List.of(Rounds.option()));
        own.addAll(ClimbLimits.options(true));
        RunOptionSpecs.addTo(spec, own.toArray(OptionSpec[]::new));
    }

    static CommandSpec spec(Streams streams) {
        return new RunCommand(streams).spec;
    }

    @Override
    public Integer call() throws Exception {
        ParseResult parsed = spec.commandLine().getParseResult();
        Map<String, List<String>> given = RunOptionSpecs.given(parsed);
        Rounds.read(parsed, given);
        if (given.getOrDefault("threads", List.of()).equals(List.of(TuneCommand.AUTO))) {
            return tune(given, parsed);
        }
        ClimbLimits.refuseWithoutSearch(parsed);
        RunSpec asked = RunOptionSpecs.reader().read(given, "--");
        List<FigureLimit> limits = FailIf.read(parsed);
        reports.read(parsed);
        Interruption interruption = streams.interruption();
        try (reports;
                Servers servers = Servers.open(asked.endpoints(), streams, NOTHING)) {
            RunSpec complete = servers.complete(asked, BundledData.DEFAULT_TABLE);
            RunResult result = run(complete, interruption, servers.isEmbedded());
            RunResult named = FigureLimits.checked(result.withArgv(Argv.masked(parsed.originalArgs())), limits);
            interruption.enter(Part.uninterruptible("the reports to be written", "the report is not complete"));
            reports.close();
            List<String> refused = RefusedInput.of(named, complete);
            if (!refused.isEmpty()) {
                RefusedInput.tell(refused, streams.err());
            }
            reports.write(named);
            interruption.enter(Part.uninterruptible("the command to end", Interruptions.reported(named)));
            return !refused.isEmpty()
                    ? ExitCode.DATA
                    : named.valid() && !FailIf.isBroken(named) ? ExitCode.DONE : ExitCode.LIMIT_BROKEN;
        }
    }

    private int tune(Map<String, List<String>> given, ParseResult parsed) throws Exception {
        given.remove("threads");
        Keeping keeping = reports.readForTune(parsed);
        List<String> problems = new ArrayList<>();
        ClimbLimits limits = ClimbLimits.read(parsed, problems);
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        return TuneCommand.run(streams, keeping, given, limits, parsed);
    }

    private RunResult run(RunSpec complete, Interruption interruption, boolean embedded)
            throws InterruptedException, SQLException, IOException {
        Target target = Target.open(complete);
        interruption.check();
        if (embedded && complete.table().equals(BundledData.DEFAULT_TABLE)) {
            Interruptions.importSample(interruption, target, NOTHING);
        }
        Connections.check(target, complete);
        SettingsCheck.check(target, complete.settings());
        interruption.check();
        AlteredSettings altered = ServerSettingsOfRun.apply(complete, target);
        try (altered) {
            Table table = Operations.table(complete, target);
            RunListener live = reports.live();
            Runner runner = new Runner(complete, target, table, live);
            interruption.check();
            interruption.enter(
                    new LoadPart(() -> runner, () -> runner.stop(Runner.INTERRUPTED), runner::abort, () -> NOTHING));
            return runner.run();
        } finally {
            ServerSettingsOfRun.tellFailures(altered, streams);
        }
    }
}
