package io.pgstress.report;

import io.pgstress.report.file.CsvReport;
import io.pgstress.report.file.HdrLogReport;
import io.pgstress.report.file.ReportFormat;
import io.pgstress.report.file.ReportFormat.Content;
import io.pgstress.report.page.HtmlReport;
import io.pgstress.report.text.BenchmarkJson;
import io.pgstress.report.text.JunitReport;
import io.pgstress.report.text.MarkdownReport;
import io.pgstress.text.Json;
import java.util.List;

/** All report formats. */
public final class Reports {
    /** The result itself, from which every other format can be created. */
    public static final ReportFormat JSON = new ReportFormat(
            "json",
            "the complete result",
            Content.ONE_RESULT,
            (results, out) -> out.append(Json.write(results.get(0))));

    /** The formats of one file, in the order of the help text. */
    public static final List<ReportFormat> FILES = List.of(
            JSON,
            new ReportFormat("html", "page with charts and all figures", Content.RESULTS, new HtmlReport()),
            new ReportFormat(
                    "markdown", "Markdown for an issue or a CI job's page", Content.RESULTS, new MarkdownReport()),
            new ReportFormat(
                    "junit", "JUnit XML: a test case per limit and verdict", Content.RESULTS, new JunitReport()),
            BenchmarkJson.BENCHER,
            BenchmarkJson.GITHUB,
            new ReportFormat("hdr-log", "HdrHistogram's log format", Content.ONE_RUN, new HdrLogReport()));

    /** The tables of CSV, which are files in one directory. */
    public static final List<ReportFormat> TABLES = CsvReport.TABLES;

    private Reports() {}
}
