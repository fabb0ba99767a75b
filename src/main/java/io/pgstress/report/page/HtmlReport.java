package io.pgstress.report.page;

import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.text.Facts.Fact;
import io.pgstress.report.text.TextReport;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Rehearsal;
import io.pgstress.result.Result;
import io.pgstress.result.Result.Verdict;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A self-contained page: the results as JSON, ECharts, and the scripts that draw the charts. Intervals
 * have no histograms, so that ten minutes fit into 3 MB; those of the whole run are included.
 */
public final class HtmlReport implements ReportWriter {
    /** ECharts' common build from its WebJar; the version must match the POM. */
    private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.common.min.js";

    private static final List<String> SCRIPTS = List.of(
            "format.js",
            "charts.js",
            "result.js",
            "run-charts.js",
            "latency-map.js",
            "percentile-charts.js",
            "bar-charts.js",
            "parts-charts.js",
            "load-charts.js",
            "machine-charts.js",
            "wait-charts.js",
            "tables.js",
            "interval-tables.js",
            "server-tables.js",
            "hosts.js",
            "several.js",
            "intervals.js",
            "verdict.js",
            "comparison.js",
            "blocks.js",
            "comparison-page.js",
            "knee.js",
            "scaling.js",
            "scaling-page.js",
            "rate-search.js",
            "rehearsal.js",
            "several-findings.js",
            "page.js");

    @Override
    public void write(List<? extends Result> findings, Appendable out) throws IOException {
        write(TextReport.of(findings.get(0)).title(), PageData.of(findings), "", "show(sections());", out);
    }

    /**
     * Writes the page.
     *
     * @param policy further directives of its content security policy; each begins with a semicolon
     * @param start the script that assembles the page
     */
    static void write(String title, PageData data, String policy, String start, Appendable out) throws IOException {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("policy", policy);
        parts.put("title", escape("pgstress: " + title));
        parts.put("style", resource("report.css"));
        parts.put("results", data(data.results()));
        parts.put("curves", data(data.curves()));
        parts.put("badges", data(data.badges()));
        parts.put("echarts", text(ECHARTS));
        parts.put("scripts", SCRIPTS.stream().map(HtmlReport::resource).collect(Collectors.joining("\n")));
        parts.put("start", start);
        fill(resource("page.html"), parts, out);
    }

    /** Writes the template with its placeholders filled; placeholders within a part are not replaced. */
    private static void fill(String template, Map<String, String> parts, Appendable out) throws IOException {
        int at = 0;
        for (Map.Entry<String, String> part : parts.entrySet()) {
            String place = "{{" + part.getKey() + "}}";
            int found = template.indexOf(place, at);
            out.append(template, at, found).append(part.getValue());
            at = found + place.length();
        }
        out.append(template, at, template.length());
    }

    /** JSON that cannot end its script element in any HTML parser. */
    private static String data(Object value) {
        return Json.writeLine(value).replace("<", "\\u003c");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    /** The text of a file of the page, such as its style sheet. */
    static String resource(String name) {
        return text("/report/" + name);
    }

    private static String text(String path) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(path)) {
            return new String(Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    /**
     * What the page's scripts draw; each list has one element per result.
     *
     * @param results without the histograms of intervals
     * @param curves latency distributions, also over time, which the scripts cannot compute from histograms
     */
    record PageData(List<? extends Result> results, List<?> curves, List<Badge> badges) {
        static PageData of(List<? extends Result> given) {
            List<Result> findings = given.stream().flatMap(PageData::withParts).toList();
            return new PageData(
                    findings.stream().map(PageData::trimmed).toList(),
                    findings.stream().map(PercentileCurve::of).toList(),
                    findings.stream().map(Badge::of).toList());
        }

        /** A rehearsal with the results that it consists of, each of which has a section of its own. */
        private static Stream<Result> withParts(Result finding) {
            return finding instanceof Rehearsal rehearsal
                    ? Stream.of(
                                    Stream.of(
                                            rehearsal.withLoad(rehearsal.load().withIntervals(List.of()))),
                                    Stream.of(rehearsal.load()),
                                    Stream.ofNullable(rehearsal.search()),
                                    Stream.ofNullable(rehearsal.layouts())
                                            .flatMap(layouts -> Stream.ofNullable(layouts.comparison())))
                            .flatMap(part -> part)
                    : Stream.of(finding);
        }

        private static Result trimmed(Result finding) {
            return finding instanceof RunResult run
                    ? run.with(run.load()
                            .withIntervals(
                                    trimmed(run.intervals()), trimmed(run.load().warmupIntervals())))
                    : finding;
        }

        private static List<IntervalResult> trimmed(List<IntervalResult> intervals) {
            return intervals.stream().map(IntervalResult::withoutHistograms).toList();
        }

        /** One line. */
        String json() {
            return Json.writeLine(this);
        }

        /**
         * The badge at the top of a result's page, and the facts below its charts.
         *
         * @param state {@code valid}, {@code valid_with_warnings} or {@code not_valid}
         * @param text the validity, with the number of warnings
         * @param facts what the page says in words
         * @param section the text that is the section of a rehearsal; null for other results
         */
        record Badge(
                String state,
                String text,
                List<Fact> facts,
                @Nullable Section section) {
            static Badge of(Result finding) {
                Verdict verdict = finding.usability();
                String sign = switch (verdict) {
                    case VALID -> "✓ ";
                    case VALID_WITH_WARNINGS -> "⚠ ";
                    case NOT_VALID -> "✗ ";
                };
                return new Badge(
                        verdict.name().toLowerCase(Locale.ROOT),
                        sign + capital(ResultLine.state(finding)),
                        TextReport.factsOfPage(finding),
                        finding instanceof Rehearsal ? Section.of(TextReport.of(finding)) : null);
            }

            private static String capital(String words) {
                return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
            }
        }

        /** A text report as a section of the page. */
        record Section(String title, List<String> verdict, List<Fact> facts, List<SectionTable> tables, String note) {
            static Section of(TextReport report) {
                return new Section(
                        Badge.capital(report.title()),
                        report.verdict(),
                        report.result(),
                        report.tables().stream()
                                .filter(each -> !each.isEmpty())
                                .map(each -> new SectionTable(each.leftColumns(), each.rows()))
                                .toList(),
                        report.note());
            }
        }

        /** @param words the number of its first columns that hold words and no figures */
        record SectionTable(int words, List<List<String>> rows) {}
    }
}
