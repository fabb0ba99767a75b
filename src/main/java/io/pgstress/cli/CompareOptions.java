package io.pgstress.cli;

import io.pgstress.compare.EarlierResult;
import io.pgstress.compare.Forecast;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Percent;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.ScenarioDraft;
import io.pgstress.plan.scenario.ScenarioDraft.Value;
import io.pgstress.plan.scenario.ScenarioExpansion;
import io.pgstress.plan.scenario.ScenarioReader;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Comparison;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** What is compared: a scenario's file, {@code --vary}, and what the command line sets in both. */
final class CompareOptions {
    /** Keys of a scenario by their option. */
    private static final Map<String, String> KEYS = Map.of(
            "--rounds", "rounds",
            "--until", "until",
            "--max-time", "max-time",
            "--margin", "margin",
            "--order-seed", "order-seed",
            "--fail-if", "fail-if");

    private CompareOptions() {}

    static void addTo(CommandSpec command) {
        ArgGroupSpec.Builder group = ResultOutput.group("Comparison");
        group.addArg(many("--vary", "OPTION=VALUE,...", "Values of an option to compare; several make a matrix."));
        group.addArg(ReportTargets.value("--rounds", "N", "How often each variant runs. Default: 12."));
        group.addArg(ReportTargets.value(
                "--until",
                "PERCENT",
                "Instead: until the interval of every variant's ratio is no wider than plus and minus so much."));
        group.addArg(ReportTargets.value("--max-time", "TIME", "No round begins after it. Default: 1h."));
        group.addArg(ReportTargets.value("--block", "TIME", "Length of a block, as --duration. Default: 5s."));
        group.addArg(ReportTargets.value("--margin", "PERCENT", "Differences up to it do not matter."));
        group.addArg(ReportTargets.value(
                "--baseline", "NAME|FILE", "The variant to compare with, or the JSON of an earlier result."));
        group.addArg(many("--fail-if", "LIMIT", "Ends with 1 where surely so, e.g. 'p99>+5%%' or 'ops<-3%%'."));
        group.addArg(ReportTargets.value("--order-seed", "N", "Seed of the order of the blocks. Default: 1."));
        group.addArg(ReportTargets.flag("Tells what would be run, how long, and what it could find.", "--dry-run"));
        group.addArg(ReportTargets.value(
                "--spread",
                "PERCENT|FILE",
                "For --dry-run: spread of a pair, or an earlier comparison to take it of."));
        group.addArg(ReportTargets.flag("Goes on with the same comparison, interrupted or done.", "--resume"));
        command.addArgGroup(group.build());
    }

    private static OptionSpec many(String name, String label, String description) {
        return OptionSpec.builder(name)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .paramLabel(label)
                .description(description)
                .build();
    }

    /** Whether {@code --baseline} names a file. */
    static boolean isFile(String baseline) {
        return baseline.endsWith(".json");
    }

    /**
     * The scenario, checked.
     *
     * @throws InvalidPlanException with every problem
     * @throws IOException where the file cannot be read
     */
    static Scenario read(ParseResult parsed) throws IOException {
        String file = parsed.matchedPositionalValue(0, "");
        ScenarioDraft draft = file.isEmpty() ? ScenarioDraft.EMPTY : fromFile(file);
        Map<String, List<String>> base = new LinkedHashMap<>(OptionSpecs.given(parsed, Purpose.BLOCK));
        String block = parsed.matchedOptionValue("--block", "");
        if (!block.isEmpty()) {
            base.put("duration", List.of(block));
        }
        Map<String, List<String>> keys = new LinkedHashMap<>();
        KEYS.forEach((option, key) -> {
            if (parsed.hasMatchedOption(option)) {
                keys.put(key, List.copyOf(parsed.matchedOption(option).stringValues()));
            }
        });
        String baseline = parsed.matchedOptionValue("--baseline", "");
        if (!baseline.isEmpty() && !isFile(baseline)) {
            keys.put("baseline", List.of(baseline));
        }
        try {
            return new ScenarioExpansion(OptionSpecs.READER)
                    .expand(draft.withBase(base).withVary(vary(parsed)).withKeys(keys));
        } catch (InvalidPlanException e) {
            throw named(file, e);
        }
    }

    /** The result that {@code --baseline} names; null where it names none. */
    static @Nullable EarlierResult earlier(ParseResult parsed, Scenario scenario) throws IOException {
        String file = parsed.matchedOptionValue("--baseline", "");
        if (!isFile(file)) {
            return null;
        }
        try {
            double block = scenario.first().phases().measure().toNanos() / 1e9;
            EarlierResult earlier = EarlierResult.of(ResultFile.read(Path.of(file)), "earlier", block);
            List<String> unanswered = earlier.unanswered(scenario.limits());
            if (!unanswered.isEmpty()) {
                throw new InvalidPlanException(
                        unanswered.stream().map(u -> "--fail-if: " + u).toList());
            }
            return earlier;
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException("--baseline: " + file + " " + e.getMessage());
        }
    }

    /** What {@code --spread} says. */
    static Map<String, Double> spreads(ParseResult parsed) throws IOException {
        String text = parsed.matchedOptionValue("--spread", "");
        if (text.isEmpty()) {
            return Map.of();
        }
        if (isFile(text)) {
            if (ResultFile.read(Path.of(text)) instanceof Comparison comparison) {
                return Forecast.spreads(comparison);
            }
            throw new InvalidPlanException("--spread: " + text + " is no comparison");
        }
        try {
            return Map.of("given", Percent.parse(text));
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException("--spread: " + e.getMessage());
        }
    }

    private static ScenarioDraft fromFile(String file) throws IOException {
        try {
            Path directory = Path.of(file).getParent();
            ScenarioDraft draft = ScenarioReader.read(Files.readString(Path.of(file)));
            return directory == null
                    ? draft
                    : draft.withFilesFrom(directory, OptionSpecs.READER.options(Purpose.BLOCK));
        } catch (InvalidPlanException e) {
            throw named(file, e);
        } catch (TextException e) {
            throw TextException.in(file, e);
        }
    }

    private static InvalidPlanException named(String file, InvalidPlanException e) {
        return new InvalidPlanException(e.problems().stream()
                .map(p -> p.startsWith("line ") || p.startsWith("base.")
                        ? TextException.in(file, p)
                        : p.replaceFirst("^--duration: ", "--block: "))
                .toList());
    }

    /** {@code statement=prepared,plain}; a URL is one value, as it may hold commas. */
    private static Map<String, List<Value>> vary(ParseResult parsed) {
        Map<String, List<Value>> vary = new LinkedHashMap<>();
        for (String text : parsed.matchedOptionValue("--vary", List.<String>of())) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new InvalidPlanException("--vary: must be OPTION=VALUE,VALUE, was '" + text + "'");
            }
            String option = text.substring(0, equals).trim();
            String values = text.substring(equals + 1);
            List<String> list = option.equals("url") ? List.of(values) : Arrays.asList(values.split(",", -1));
            vary.computeIfAbsent(option, o -> new ArrayList<>())
                    .addAll(list.stream().map(v -> Value.of(v.trim())).toList());
        }
        return vary;
    }
}
