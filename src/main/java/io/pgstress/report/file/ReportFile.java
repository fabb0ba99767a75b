package io.pgstress.report.file;

import io.pgstress.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A file for a report, written as a whole or not at all. */
public final class ReportFile {
    private final ReportFormat format;
    private final AtomicFile file;

    public ReportFile(ReportFormat format, Path path) {
        this.format = format;
        this.file = new AtomicFile(path);
    }

    public Path path() {
        return file.path();
    }

    public ReportFormat format() {
        return format;
    }

    /** The numbered file beside it: {@code r-2.json} for {@code r.json}. */
    public ReportFile numbered(int number) {
        String name = String.valueOf(path().getFileName());
        int dot = name.lastIndexOf('.');
        String stem = dot > 0 ? name.substring(0, dot) : name;
        return new ReportFile(format, path().resolveSibling(stem + "-" + number + name.substring(stem.length())));
    }

    /** Checks that the report can be written, like {@link AtomicFile#touch}. */
    public void touch() throws IOException {
        file.touch();
    }

    /** Writes the report, like {@link AtomicFile#write}. */
    public void write(List<? extends Result> results) throws IOException {
        file.write(out -> format.write(results, out));
    }
}
