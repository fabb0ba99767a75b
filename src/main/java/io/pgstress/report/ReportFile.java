package io.pgstress.report;

import io.pgstress.result.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A file that a report goes into: whole or not there. */
public final class ReportFile {
    private final ReportWriter writer;
    private final WholeFile file;

    public ReportFile(ReportWriter writer, Path path) {
        this.writer = writer;
        this.file = new WholeFile(path);
    }

    public Path path() {
        return file.path();
    }

    public ReportWriter writer() {
        return writer;
    }

    /** Makes sure that the report can be written, as {@link WholeFile#touch} does. */
    public void touch() throws IOException {
        file.touch();
    }

    /** Writes the report, as {@link WholeFile#write} does. */
    public void write(List<? extends Finding> results) throws IOException {
        file.write(out -> writer.write(results, out));
    }
}
