package io.pgstress.cli.output;

import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.file.History;
import io.pgstress.result.Result;
import io.pgstress.target.embedded.DataHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where findings go: the reports' files, stdout, and what is kept for {@code stress report}. */
public final class ResultOutput {
    private final ReportTargets targets;
    private final boolean save;
    private final Optional<Path> directory;

    private ResultOutput(Options options, Problems problems) {
        targets = new ReportTargets(options, problems);
        directory = options.get(ReportOptions.DIR);
        save = options.get(ReportOptions.SAVE) || directory.isPresent();
    }

    /** For runs. */
    public static ResultOutput ofRuns(Options options, Problems problems) {
        return new ResultOutput(options, problems);
    }

    /** For findings that are no runs, {@code several} of them or one. */
    public static ResultOutput of(Options options, boolean several, Problems problems) {
        ResultOutput output = new ResultOutput(options, problems);
        output.targets.checkNoRuns(problems);
        if (several) {
            output.targets.checkSeveralOnStdout(problems);
        }
        return output;
    }

    /** Makes sure that every file can be written. */
    public void prepare() throws IOException {
        targets.touch();
        if (save) {
            history(directory).prepare();
        }
    }

    /** Writes findings everywhere they were asked to be, and keeps them even where one of the places fails. */
    public void write(List<? extends Result> findings, Streams streams) throws IOException {
        try {
            targets.writeFiles(findings);
        } finally {
            try {
                keep(findings, streams);
            } finally {
                targets.show(findings, streams);
            }
        }
    }

    private void keep(List<? extends Result> findings, Streams streams) throws IOException {
        if (save) {
            for (Result finding : findings) {
                streams.err().println("stress: saved as " + history(directory).save(finding));
            }
        }
    }

    /** The results kept in this directory, or in the user's own. */
    public static History history(Optional<Path> directory) {
        return new History(directory.orElse(DataHome.of(System.getenv()).resolve("runs")));
    }
}
