package io.pgstress.cli;

import io.pgstress.importer.BundledData;
import io.pgstress.interrupt.InterruptedCommandException;
import io.pgstress.interrupt.Interruption;
import io.pgstress.interrupt.Part;
import io.pgstress.result.RunResult;
import io.pgstress.target.Target;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLException;
import java.util.Locale;

/** What commands do alike when they are interrupted. */
final class Interruptions {
    private Interruptions() {}

    /** Imports the embedded server's sample data where they are missing; the next command continues where this one was interrupted. */
    static void importSample(Interruption interruption, Target target, String kept)
            throws SQLException, IOException, InterruptedException {
        interruption.enter(Part.ofThread(Thread.currentThread(), "the import of the sample data to stop", kept));
        BundledData.importIfMissing(target.first().connector(), target.dialect());
        interruption.enter(Part.uninterruptible("the servers to answer", kept));
        interruption.check();
    }

    /** What an interrupted run has reported. */
    static String reported(RunResult result) {
        double seconds = result.run().phases().stream()
                .filter(p -> p.name().equals("measure"))
                .mapToDouble(RunResult.PhaseLength::seconds)
                .sum();
        return seconds == 0
                ? "nothing was measured, as the warm-up had not ended"
                : String.format(Locale.ROOT, "the report covers the %.1f s that were measured", seconds);
    }

    /** Prints the last line of an interrupted command. */
    static void tell(Interruption interruption, @org.jspecify.annotations.Nullable Throwable failure, PrintStream err) {
        String message = failure == null ? "" : String.valueOf(failure.getMessage());
        String line = "interrupted; " + interruption.kept();
        if (failure instanceof InterruptedCommandException) {
            line = message.startsWith("interrupted") ? message : "interrupted; " + message;
        } else if (message.startsWith("interrupted ")) {
            line = message + "; " + interruption.kept();
        }
        err.println("stress: " + line + " (exit code " + interruption.exitCode(0) + ")");
    }

    /** Whether a failure of an interrupted command is only its way to end. */
    static boolean isEnding(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof InterruptedCommandException
                    || e instanceof InterruptedException
                    || e instanceof InterruptedIOException
                    || e instanceof ClosedByInterruptException) {
                return true;
            }
        }
        return String.valueOf(failure.getMessage()).startsWith("interrupted ");
    }
}
