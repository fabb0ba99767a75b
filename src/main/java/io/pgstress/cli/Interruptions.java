package io.pgstress.cli;

import io.pgstress.interrupt.InterruptedCommandException;
import io.pgstress.interrupt.Interruption;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.channels.ClosedByInterruptException;

/** What commands do alike when they are interrupted. */
final class Interruptions {
    private Interruptions() {}

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
