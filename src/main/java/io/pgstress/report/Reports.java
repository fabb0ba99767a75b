package io.pgstress.report;

import io.pgstress.report.file.CsvReport;
import io.pgstress.report.file.HdrLogReport;
import io.pgstress.report.file.ReportFormat;
import io.pgstress.report.file.ReportFormat.Content;
import io.pgstress.report.page.HtmlReport;
import io.pgstress.report.text.JunitReport;
import io.pgstress.report.text.MarkdownReport;
import io.pgstress.text.Json;
import java.util.List;

/** All report formats for files. */
public final class Reports {
    /** The result itself, from which every other format can be created. */
    public static final ReportFormat JSON = new ReportFormat(
            "json",
            "The complete result; all other formats can be made from it later.",
            Content.ONE_RESULT,
            (results, out) -> out.append(Json.write(results.get(0))));

    /** The file formats, in the order of the help text. */
    public static final List<ReportFormat> FILES = List.of(
            JSON,
            new ReportFormat("html", "One HTML file with charts and all figures.", Content.RESULTS, new HtmlReport()),
            new ReportFormat("csv", "CSV with one row per interval.", Content.RUNS, CsvReport.INTERVALS),
            new ReportFormat(
                    "csv-operations", "CSV with one row per operation of --op.", Content.RUNS, CsvReport.OPERATIONS),
            new ReportFormat("csv-steps", "CSV with one row per step of --rate.", Content.RUNS, CsvReport.STEPS),
            new ReportFormat(
                    "csv-hosts",
                    "CSV with one row per stress host, if there are several.",
                    Content.RUNS,
                    CsvReport.HOSTS),
            new ReportFormat(
                    "csv-machines", "CSV with one row per machine every 2 seconds.", Content.RUNS, CsvReport.MACHINES),
            new ReportFormat(
                    "markdown",
                    "Markdown for an issue, a wiki or the page of a CI job.",
                    Content.RESULTS,
                    new MarkdownReport()),
            new ReportFormat(
                    "junit",
                    "JUnit XML for CI: one test case per limit and verdict.",
                    Content.RESULTS,
                    new JunitReport()),
            new ReportFormat(
                    "hdr-log", "HdrHistogram's log format, for its tools.", Content.ONE_RUN, new HdrLogReport()));

    private Reports() {}
}
