package io.pgstress.report.text;

import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.text.Junit.Suite;
import io.pgstress.report.text.Junit.TestCase;
import io.pgstress.result.Comparison;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Result;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.result.ServerInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@link Junit} XML: one suite per result, one test case per limit and verdict. */
public final class JunitReport implements ReportWriter {
    @Override
    public void write(List<? extends Result> findings, Appendable out) throws IOException {
        Map<String, Integer> names = new HashMap<>();
        List<Suite> suites = new ArrayList<>();
        for (Result result : findings) {
            String title = TextReport.of(result).title();
            int same = names.merge(title, 1, Integer::sum);
            suites.add(new Suite(
                    same == 1 ? title : title + " (" + same + ")",
                    result.run().startedAt(),
                    seconds(result.run()),
                    properties(result),
                    cases(result),
                    output(result)));
        }
        Junit.write(suites, out);
    }

    private static double seconds(RunInfo run) {
        return run.phases().stream().mapToDouble(RunInfo.PhaseLength::seconds).sum();
    }

    private static Map<String, String> properties(Result result) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("run", result.run().id());
        all.put("version", result.header().tool().version());
        all.put("commit", result.header().tool().commit());
        all.put("driver", result.header().tool().driver());
        all.put("jvm", result.client().jvm());
        all.put("os", result.client().os());
        all.put("cpus", Integer.toString(result.client().cpus()));
        all.put("server", servers(result, ServerInfo::version));
        all.put("server.kind", servers(result, ServerInfo::kind));
        all.put("server.url", servers(result, ServerInfo::url));
        all.values().removeIf(value -> value == null || value.isEmpty()); // what is unknown
        return all;
    }

    private static String servers(Result result, Function<ServerInfo, String> property) {
        return result.servers().stream().map(property).distinct().collect(Collectors.joining(", "));
    }

    private static String output(Result result) {
        StringBuilder lines = new StringBuilder(ResultLine.of(result));
        TextReport.of(result).verdict().forEach(sentence -> lines.append('\n').append(sentence));
        TextReport.statements(result).all().stream()
                .filter(statement -> statement.kind() == TextReport.Kind.WARNING) // the others are test cases
                .forEach(statement -> lines.append('\n').append(statement));
        return lines.toString();
    }

    /**
     * The test cases of a result: whether it is valid, its limits, and its verdicts. A case that failed
     * corresponds to exit code 1, and one with an error to exit code 5. A verdict alone fails no case, because a difference is no fault without a limit.
     */
    private static List<TestCase> cases(Result result) {
        List<TestCase> cases = new ArrayList<>(List.of(validity(result)));
        if (result instanceof Comparison comparison) {
            limits(comparison, cases);
            verdicts(comparison, cases);
        } else if (result instanceof Scaling scaling) {
            cases.add(load(scaling));
        } else if (result instanceof RateSearch search) {
            String limits =
                    search.limits().stream().map(RateSearch.KeptLimit::limit).collect(Collectors.joining(" and "));
            cases.add(TestCase.limit(
                    "a rate within " + limits,
                    search.rate() == null,
                    search.verdict().get(0)));
        } else if (result instanceof Rehearsal rehearsal) {
            cases.add(TestCase.limit("go", rehearsal.exceedsLimit(), String.join(" ", rehearsal.verdict())));
        } else {
            ((RunResult) result).limits().forEach(l -> cases.add(TestCase.limit(l.limit(), l.broken(), l.words())));
        }
        return cases;
    }

    private static TestCase validity(Result result) {
        return result.valid()
                ? TestCase.passed("valid")
                : new TestCase(
                        "valid",
                        Junit.Outcome.ERROR,
                        result.reasons().get(0).text(),
                        result.reasons().stream()
                                .map(reason -> reason.code() + ": " + reason.sentences())
                                .collect(Collectors.joining("\n")));
    }

    private static void limits(Comparison comparison, List<TestCase> cases) {
        for (Comparison.LimitCheck limit : comparison.limits()) {
            String name = limit.variant() + ": " + limit.limit();
            cases.add(
                    limit.checked()
                            ? TestCase.limit(name, limit.broken(), limit.words())
                            : TestCase.skipped(name, limit.words()));
        }
    }

    private static void verdicts(Comparison comparison, List<TestCase> cases) {
        for (Comparison.Variant variant : comparison.variants()) {
            if (!variant.name().equals(comparison.baseline())) {
                String name = variant.name() + " compared with " + comparison.baseline();
                cases.add(comparison.effects().stream()
                        .filter(e ->
                                e.variant().equals(variant.name()) && e.metric().equals(comparison.primary()))
                        .findFirst()
                        .map(e -> e.verdict().equals("undecided")
                                ? TestCase.skipped(name, ResultLine.verdict(e, comparison))
                                : TestCase.passed(name))
                        .orElseGet(() -> TestCase.skipped(name, String.join(" ", comparison.verdict()))));
            }
        }
    }

    private static TestCase load(Scaling scaling) {
        return scaling.knee() == null ? TestCase.skipped("knee", ResultLine.knee(scaling)) : TestCase.passed("knee");
    }
}
