package io.pgstress.cli;

import io.pgstress.dataset.Table;
import io.pgstress.importer.BundledData;
import io.pgstress.operation.Operations;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.target.Target;
import io.pgstress.target.settings.AlteredSettings;
import io.pgstress.target.settings.SettingsCheck;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The main command: one run, reported. */
final class RunCommand implements Callable<Integer> {
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
        RunOptionSpecs.addTo(spec, Rounds.option());
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
        RunSpec asked = RunOptionSpecs.reader().read(given, "--");
        reports.read(parsed);
        try (reports;
                Interruption interruption = new Interruption(Thread.currentThread()::interrupt);
                Servers servers = Servers.open(asked.endpoints(), streams.err())) {
            RunSpec complete = servers.complete(asked, BundledData.DEFAULT_TABLE);
            RunResult result = run(complete, interruption, servers.isEmbedded());
            RunResult named = result.withArgv(Argv.masked(parsed.originalArgs()));
            reports.write(named);
            List<String> refused = RefusedInput.of(named, complete);
            if (!refused.isEmpty()) {
                return RefusedInput.tell(refused, streams.err());
            }
            return named.valid() ? ExitCode.DONE : ExitCode.LIMIT_BROKEN;
        }
    }

    private int tune(Map<String, List<String>> given, ParseResult parsed) throws Exception {
        given.remove("threads");
        return TuneCommand.run(streams, reports.readForTune(parsed), given, TuneCommand.MOST_CLIENTS, parsed);
    }

    private RunResult run(RunSpec complete, Interruption interruption, boolean embedded)
            throws InterruptedException, SQLException, IOException {
        Target target = Target.open(complete);
        if (embedded && complete.table().equals(BundledData.DEFAULT_TABLE)) {
            BundledData.importIfMissing(target.first().connector(), target.dialect());
        }
        Connections.check(target, complete);
        SettingsCheck.check(target, complete.settings());
        AlteredSettings altered = ServerSettingsOfRun.apply(complete, target);
        try (altered) {
            Table table = Operations.table(complete, target);
            RunListener live = reports.live();
            Runner runner = new Runner(complete, target, table, live);
            interruption.stopsBy(() -> runner.stop(Runner.INTERRUPTED));
            interruption.waitsLonger(complete.phases().drain());
            return runner.run();
        } finally {
            ServerSettingsOfRun.tellFailures(altered, streams);
        }
    }
}
