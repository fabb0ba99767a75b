package io.pgstress.cli;

import io.pgstress.compare.Comparer;
import io.pgstress.compare.Comparer.Ended;
import io.pgstress.compare.Earlier;
import io.pgstress.compare.Forecast;
import io.pgstress.compare.State;
import io.pgstress.compare.StateKey;
import io.pgstress.plan.InvalidPlanException;
import io.pgstress.plan.Scenario;
import io.pgstress.plan.Scenario.Workload;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.LimitCheck;
import io.pgstress.runner.RunListener;
import io.pgstress.target.embedded.DataHome;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code stress compare}: variants in interleaved blocks, and a verdict. */
final class CompareCommand implements Callable<Integer> {
    private final Streams streams;
    private final Keeping keeping = new Keeping();
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    private CompareCommand(Streams streams) {
        this.streams = streams;
        spec.name("compare")
                .mixinStandardHelpOptions(true)
                .usageMessage()
                .description(
                        "Compares variants of a run in short interleaved blocks and says which is faster, and how sure"
                                + " that is. docs/comparisons.md tells the method.")
                .abbreviateSynopsis(true)
                .sortOptions(false);
        spec.addPositional(PositionalParamSpec.builder()
                .arity("0..1")
                .type(String.class)
                .paramLabel("FILE")
                .description("A scenario, see config/; options of the command line take the place of its base's.")
                .build());
        CompareOptions.addTo(spec);
        keeping.addTo(spec, Keeping.group("Reports"));
        RunOptionSpecs.addTo(spec);
    }

    static CommandSpec spec(Streams streams) {
        return new CompareCommand(streams).spec;
    }

    @Override
    public Integer call() throws Exception {
        ParseResult parsed = spec.commandLine().getParseResult();
        Scenario scenario = CompareOptions.read(parsed);
        List<String> problems = new ArrayList<>();
        keeping.read(parsed, problems);
        if (scenario.workloads().size() > 1) {
            keeping.checkSeveralOnStdout(problems);
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        Earlier earlier = CompareOptions.earlier(parsed);
        if (parsed.matchedOptionValue("--dry-run", false)) {
            Forecast.lines(scenario, CompareOptions.spreads(parsed)).forEach(streams.out()::println);
            return ExitCode.DONE;
        }
        keeping.prepare();
        return run(scenario, earlier, parsed);
    }

    private int run(Scenario scenario, @Nullable Earlier earlier, ParseResult parsed) throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        try (Interruption interruption = new Interruption(() -> stopped.set(true));
                Servers servers = Servers.open(scenario.first().endpoints())) {
            CompareBlocks blocks = new CompareBlocks(servers, scenario, RunListener.NONE);
            List<Comparison> findings = new ArrayList<>();
            RuntimeException failure = null;
            try {
                for (Workload workload : scenario.workloads()) {
                    Path file = stateFile(scenario, workload);
                    Comparer comparer = new Comparer(
                            scenario,
                            workload,
                            blocks,
                            new CompareProgress(streams.err(), parsed.matchedOptionValue("--quiet", false), file),
                            earlier,
                            System::nanoTime);
                    interruption.stopsBy(() -> {
                        stopped.set(true);
                        comparer.stop();
                        blocks.stop();
                    });
                    if (stopped.get()) {
                        break;
                    }
                    Ended ended = comparer.run(from(scenario, workload, file, parsed));
                    if (ended.state().rounds() > 0) {
                        findings.add(comparer.finding(ended).withArgv(Argv.masked(parsed.originalArgs())));
                    }
                    failure = ended.failure();
                    if (failure != null) {
                        break;
                    }
                }
            } finally {
                if (failure == null) {
                    blocks.tearDown();
                }
            }
            int code = report(findings, scenario.workloads());
            if (failure != null) {
                throw failure;
            }
            return code;
        }
    }

    private int report(List<Comparison> findings, List<Workload> asked) throws IOException {
        if (findings.isEmpty()) {
            streams.err().println("stress: interrupted before the end of the first round: there is nothing to report");
            return ExitCode.LIMIT_BROKEN;
        }
        keeping.write(findings, streams);
        if (findings.size() < asked.size()) {
            streams.err()
                    .println("stress: ended before its time; not compared: "
                            + asked.stream()
                                    .skip(findings.size())
                                    .map(Workload::name)
                                    .collect(Collectors.joining(", ")));
        }
        boolean broken = findings.stream()
                .anyMatch(c -> !c.valid() || c.limits().stream().anyMatch(LimitCheck::broken));
        return broken ? ExitCode.LIMIT_BROKEN : ExitCode.DONE;
    }

    private static Path stateFile(Scenario scenario, Workload workload) {
        return DataHome.of(System.getenv()).resolve("comparisons").resolve(StateKey.of(scenario, workload) + ".json");
    }

    private static State from(Scenario scenario, Workload workload, Path file, ParseResult parsed) throws IOException {
        if (!parsed.matchedOptionValue("--resume", false)) {
            return State.none(StateKey.of(scenario, workload));
        }
        @Nullable State kept = Files.exists(file) ? Json.read(Files.readString(file), State.class) : null;
        if (kept == null) {
            throw new InvalidPlanException("--resume: nothing is known of this comparison; the same variants, options"
                    + " and block length must be given as before");
        }
        return kept;
    }
}
