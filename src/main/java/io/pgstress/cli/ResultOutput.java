package io.pgstress.cli;

import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.file.History;
import io.pgstress.result.Result;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where results go: files of reports, stdout, and the directory of saved results. */
public final class ResultOutput {
    private final ReportTargets targets;
    private final boolean save;
    private final Optional<Path> directory;

    private ResultOutput(Options options, Problems problems) {
        targets = new ReportTargets(options, problems);
        directory = options.get(ReportOptions.DIR);
        save = options.get(ReportOptions.SAVE) || directory.isPresent();
    }

    /** The output of runs. */
    public static ResultOutput ofRuns(Options options, Problems problems) {
        return new ResultOutput(options, problems);
    }

    /** The output of other results than runs: of one, or of {@code several}. */
    public static ResultOutput of(Options options, boolean several, Problems problems) {
        ResultOutput output = new ResultOutput(options, problems);
        output.targets.checkNoRuns(problems);
        if (several) {
            output.targets.checkSeveralOnStdout(problems);
        }
        return output;
    }

    /** Ensures that every file can be written. */
    public void prepare() throws IOException {
        targets.touch();
        if (save) {
            history(directory).prepare();
        }
    }

    /** Saves the results if requested, and writes all reports. A failure of one does not stop the others. */
    public void write(List<? extends Result> findings, Streams streams) throws IOException {
        try {
            save(findings, streams);
        } finally {
            targets.write(findings, streams);
        }
    }

    private void save(List<? extends Result> findings, Streams streams) throws IOException {
        if (save) {
            for (Result finding : findings) {
                streams.err().println("stress: saved as " + history(directory).save(finding));
            }
        }
    }

    /** The results saved in this directory; by default in the user's data directory. */
    public static History history(Optional<Path> directory) {
        return new History(directory.orElse(DataHome.of(System.getenv()).resolve("runs")));
    }
}
