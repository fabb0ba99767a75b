package io.pgstress.report;

import io.pgstress.report.file.HdrLogReport;
import io.pgstress.report.file.HostCsvReport;
import io.pgstress.report.file.IntervalCsvReport;
import io.pgstress.report.file.JsonReport;
import io.pgstress.report.file.MachineCsvReport;
import io.pgstress.report.file.OperationCsvReport;
import io.pgstress.report.file.RateStepCsvReport;
import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.junit.JunitReport;
import io.pgstress.report.page.HtmlReport;
import io.pgstress.report.text.ConsoleReport;
import io.pgstress.report.text.MarkdownReport;
import java.util.List;

/** All report formats. */
public final class Reports {
    /** The report for people, on stdout. */
    public static final ReportWriter CONSOLE = new ConsoleReport(false);

    /** The same report with details: settings, waits, statements, plans, machines. */
    public static final ReportWriter VERBOSE = new ConsoleReport(true);

    /** The result itself, from which every other format can be created. */
    public static final ReportWriter JSON = new JsonReport();

    /** The file formats, in the order of the help text. */
    public static final List<ReportWriter> FILES = List.of(
            JSON,
            new HtmlReport(),
            new IntervalCsvReport(),
            new OperationCsvReport(),
            new RateStepCsvReport(),
            new HostCsvReport(),
            new MachineCsvReport(),
            new MarkdownReport(),
            new JunitReport(),
            new HdrLogReport());

    private Reports() {}
}
