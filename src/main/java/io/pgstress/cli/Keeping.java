package io.pgstress.cli;

import io.pgstress.report.History;
import io.pgstress.result.Finding;
import io.pgstress.target.embedded.DataHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.ParseResult;

/** Whether findings are kept for {@code stress report}, and where. Not thread-safe. */
final class Keeping {
    private boolean save;
    private String directory = "";

    void addTo(ArgGroupSpec.Builder group) {
        group.addArg(ReportTargets.flag("Keeps the result for 'stress report'.", "--save"));
        group.addArg(
                ReportTargets.value("--dir", "DIR", "Where results are kept. Default: the user's data directory."));
    }

    void read(ParseResult parsed) {
        directory = parsed.matchedOptionValue("--dir", "");
        save = parsed.matchedOptionValue("--save", false) || !directory.isEmpty();
    }

    /** Makes sure that findings can be kept. */
    void prepare() throws IOException {
        if (save) {
            history(directory).prepare();
        }
    }

    /** Writes findings everywhere they were asked to be, and keeps them even where one of the places fails. */
    void write(List<? extends Finding> findings, ReportTargets targets, Streams streams) throws IOException {
        try {
            targets.write(findings, streams);
        } finally {
            if (save) {
                for (Finding finding : findings) {
                    streams.err()
                            .println("stress: kept as " + history(directory).save(finding));
                }
            }
        }
    }

    /** The results kept in this directory, or in the user's own where it is empty. */
    static History history(String directory) {
        return new History(directory.isEmpty() ? DataHome.of(System.getenv()).resolve("runs") : Path.of(directory));
    }
}
