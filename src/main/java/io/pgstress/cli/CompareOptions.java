package io.pgstress.cli;

import static io.pgstress.plan.option.Group.COMPARISON;

import io.pgstress.compare.EarlierResult;
import io.pgstress.compare.Forecast;
import io.pgstress.compare.statistics.ClusterMeans.Spread;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.OptionNames;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Percent;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.scenario.ComparisonOptions;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.ScenarioDraft;
import io.pgstress.plan.scenario.ScenarioExpansion;
import io.pgstress.plan.scenario.ScenarioReader;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Comparison;
import io.pgstress.result.Remark;
import io.pgstress.text.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** The options of {@code compare}. They make a scenario, together with its file and the options of a run. */
final class CompareOptions {
    static final Option<List<String>> VARY = Option.list("vary", "OPTION=VALUE,...", CompareOptions::varied)
            .words(RunOptionsCommand.READER.options(Purpose.BLOCK).stream()
                    .map(Option::name)
                    .filter(ScenarioExpansion::canVary)
                    .toList())
            .help(COMPARISON, "values to compare; several options: a matrix");

    static final Option<Boolean> DRY_RUN =
            Option.flag("dry-run").help(COMPARISON, "show what would run, and what it could find");

    static final Option<Optional<String>> SPREAD = Option.optional("spread", "PERCENT|FILE", Forms::text)
            .needs(() -> DRY_RUN, "is for --dry-run")
            .help(
                    COMPARISON,
                    "for --dry-run: deviation of a pair, or a result",
                    "It is the standard deviation of the ratio of two blocks of a round, or an earlier comparison to take it from. Without it, 2%, 5%, 10% and 20% are shown.");

    static final Option<Boolean> RESUME = Option.flag("resume")
            .uselessWith(DRY_RUN)
            .help(COMPARISON, "continue the same comparison", "After an interruption, or for more rounds.");

    private static final Set<Option<?>> SHOWN_DRY = Set.of(ReportOptions.QUIET, ReportOptions.VERBOSE);

    /** All options except those of runs. */
    static final List<Option<?>> ALL = Option.join(
            List.of(VARY),
            ComparisonOptions.ALL,
            List.of(DRY_RUN, SPREAD, RESUME),
            ReportOptions.OF_FINDING.stream()
                    .map(o -> SHOWN_DRY.contains(o) ? o : o.uselessWith(DRY_RUN))
                    .toList(),
            FleetOptions.OF_LOAD);

    private CompareOptions() {}

    /** What names a file that exists is one, though perhaps not a result; a variant may have any other name. */
    private static boolean isFile(String text) {
        return text.endsWith(".json")
                || text.endsWith(".json.gz")
                || (text.matches(".*[./].*") && Files.isRegularFile(Path.of(text)));
    }

    /** The file that {@code --baseline} names. */
    private static Optional<String> baselineFile(Options own) {
        return own.get(ComparisonOptions.BASELINE).filter(CompareOptions::isFile);
    }

    /**
     * The checked scenario.
     *
     * @throws InvalidPlanException with every problem
     * @throws IOException if the file cannot be read
     */
    static Scenario read(ParseResult parsed, Options own, Problems problems) throws IOException {
        String file = Command.argument(parsed);
        ScenarioDraft draft = file.isEmpty()
                ? ScenarioDraft.EMPTY
                : ScenarioReader.read(Path.of(file), RunOptionsCommand.READER.options(Purpose.BLOCK));
        Map<String, List<String>> keys = Command.given(parsed, ComparisonOptions.ALL);
        if (baselineFile(own).isPresent()) {
            keys.remove(ComparisonOptions.BASELINE.name());
        }
        return new ScenarioExpansion(RunOptionsCommand.READER, RunOptionsCommand.onHosts(own, Purpose.BLOCK))
                .expand(draft.with(RunOptionsCommand.given(parsed, Purpose.BLOCK), vary(own), keys));
    }

    /** The result file that {@code --baseline} names; null if it names a variant or is missing. */
    static @Nullable EarlierResult earlier(Options own, Scenario scenario) throws IOException {
        String file = baselineFile(own).orElse("");
        if (file.isEmpty()) {
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

    /** The scenario against an earlier result, which is of one server: each variant has one cluster. */
    static Scenario withoutClusters(Scenario scenario, Options own, Problems problems) {
        if (own.isGiven(ComparisonOptions.CLUSTERS)) {
            problems.add(ComparisonOptions.CLUSTERS.name(), "has no effect with an earlier result (--baseline)");
        }
        return Records.with(scenario, "effort", scenario.effort().withClusters(0));
    }

    /**
     * What {@code --spread} gives.
     *
     * @param ofPairs by variant, or the given one; empty if there are none
     * @param ofClusters by variant; empty unless the scenario and the comparison have several clusters of each variant
     * @param reasons why the comparison that they are from is not valid
     */
    record Spreads(Map<String, Double> ofPairs, Map<String, Spread> ofClusters, List<Remark> reasons) {
        private static final Spreads NONE = new Spreads(Map.of(), Map.of(), List.of());
    }

    /**
     * The spreads given with {@code --spread}.
     *
     * @throws InvalidPlanException if the scenario has several clusters of each variant, and the comparison had not
     */
    static Spreads spreads(Options own, Scenario scenario) throws IOException {
        String text = own.get(SPREAD).orElse("");
        if (text.isEmpty()) {
            return Spreads.NONE;
        }
        if (!isFile(text)) {
            try {
                return new Spreads(Map.of("given", Percent.parse(text)), Map.of(), List.of());
            } catch (IllegalArgumentException e) {
                throw new InvalidPlanException("--spread: " + e.getMessage());
            }
        }
        if (!(ResultFile.read(Path.of(text)) instanceof Comparison comparison)) {
            throw new InvalidPlanException("--spread: " + text + " is not a comparison");
        }
        Map<String, Spread> ofClusters =
                scenario.effort().clusters() < 2 ? Map.of() : Forecast.clusterSpreads(scenario, comparison);
        if (scenario.effort().clusters() >= 2 && ofClusters.isEmpty()) {
            throw new InvalidPlanException(
                    "--spread: " + text + " does not tell how clusters differ: it is not of several of each variant");
        }
        Map<String, Double> ofPairs = Forecast.spreads(scenario, comparison);
        if (ofPairs.isEmpty() && ofClusters.isEmpty()) {
            throw new InvalidPlanException(
                    "--spread: " + text
                            + " does not tell how rounds differ: it has fewer than 2, or not the times that decide at a given rate");
        }
        return new Spreads(ofPairs, ofClusters, comparison.reasons());
    }

    private static String varied(String text) {
        if (text.indexOf('=') < 1) {
            throw new IllegalArgumentException("must be OPTION=VALUE,VALUE, was '" + text + "'");
        }
        return text;
    }

    /** The values of each {@code --vary}, such as {@code statement=prepared,plain}. A URL is a single value, because it may contain commas. */
    private static Map<String, List<String>> vary(Options own) {
        Map<String, List<String>> vary = new LinkedHashMap<>();
        for (String text : own.get(VARY)) {
            int equals = text.indexOf('=');
            String option = OptionNames.of(text.substring(0, equals).trim());
            String values = text.substring(equals + 1);
            List<String> list = option.equals("url") ? List.of(values) : Arrays.asList(values.split(",", -1));
            vary.computeIfAbsent(option, o -> new ArrayList<>())
                    .addAll(list.stream().map(String::trim).toList());
        }
        return vary;
    }
}
