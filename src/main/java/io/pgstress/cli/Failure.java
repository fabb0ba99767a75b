package io.pgstress.cli;

import io.pgstress.bson.BsonException;
import io.pgstress.importer.RejectLimit.TooManyRejectsException;
import io.pgstress.interrupt.Interruption;
import io.pgstress.interrupt.Interruption.InterruptedCommandException;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.report.file.ContradictionException;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.Validity;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Printable;
import io.pgstress.text.Records;
import io.pgstress.text.Secrets;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Reports an exception, one line per problem, and determines the exit code. */
final class Failure {
    private Failure() {}

    /**
     * Prints the failure to stderr, with its stack trace if {@code verbose}, and returns the exit code.
     *
     * @param args what the user typed; secrets in it are not repeated
     */
    static int tell(Throwable failure, Streams streams, boolean verbose, List<String> args) {
        OutOfMemoryError full = full(failure);
        if (full != null && full != failure) {
            return tell(full, streams, verbose, args);
        }
        if (failure instanceof InvalidPlanException plan) {
            plan.problems().forEach(p -> streams.error(Secrets.inMessage(p, args)));
        } else {
            streams.error(Secrets.inMessage(message(failure), args));
        }
        if (verbose) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            streams.err().print(Printable.lines(Secrets.inMessage(trace.toString(), args)));
        } else if (isUnexpected(failure)) {
            streams.error("unexpected error; --verbose shows where it came from");
        }
        return code(failure);
    }

    /** Tells what ended a thread, once per message: clients usually end by the same failure. The command notices by itself. */
    static Thread.UncaughtExceptionHandler ofThreads(Streams streams, List<String> args) {
        Set<String> told = ConcurrentHashMap.newKeySet();
        return (thread, failure) -> {
            if (told.add(message(failure))) {
                tell(failure, streams, args.contains("--verbose"), args);
            }
        };
    }

    /**
     * The full heap that caused a failure; null if it has another cause. The JVM throws one error many times, and a resource that fails
     * to close by the same one hides it: "Self-suppression not permitted".
     */
    private static @Nullable OutOfMemoryError full(@Nullable Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof OutOfMemoryError found) {
                return found;
            }
            if (e instanceof TargetException) {
                return null; // its message says more
            }
        }
        return null;
    }

    /** Prints the last line of an interrupted command. */
    static void tellInterrupted(
            Interruption interruption, @Nullable Throwable failure, Streams streams, List<String> args) {
        String line = "interrupted; " + interruption.kept();
        if (failure instanceof InterruptedCommandException) {
            line = failure.getMessage();
        } else if (failure != null && failure.getCause() instanceof InterruptedException) {
            line = failure.getMessage() + "; " + interruption.kept(); // it says what was interrupted
        }
        streams.note(Secrets.inMessage(String.valueOf(line), args) + " (exit code " + interruption.exitCode(0) + ")");
    }

    /** Whether a failure only ended an interrupted command, and is not an error by itself. */
    static boolean isEnding(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof InterruptedCommandException
                    || e instanceof InterruptedException
                    || e instanceof InterruptedIOException
                    || e instanceof ClosedByInterruptException) {
                return true;
            }
        }
        return false;
    }

    private static int code(Throwable failure) {
        if (failure instanceof UncheckedIOException io && io.getCause() != null) {
            return code(io.getCause());
        }
        if (failure instanceof ContradictionException) {
            return ExitCode.DATA;
        }
        if (failure instanceof InvalidPlanException
                || failure instanceof TextException
                || failure instanceof InvalidPathException
                || failure instanceof FileSystemException) {
            return ExitCode.USAGE;
        }
        return failure instanceof BsonException || failure instanceof TooManyRejectsException
                ? ExitCode.DATA
                : ExitCode.TARGET;
    }

    private static boolean isUnexpected(Throwable failure) {
        return !(failure instanceof InvalidPlanException
                || failure instanceof TargetException
                || failure instanceof TextException
                || failure instanceof SQLException
                || failure instanceof InvalidPathException
                || failure instanceof OutOfMemoryError
                || failure instanceof IOException
                || failure instanceof UncheckedIOException);
    }

    /**
     * A result that a failure has cut short: it is not valid, as its exit code says.
     *
     * @param failure null: nothing, or a signal
     * @param args what the user typed; secrets in it are not repeated
     */
    static <R extends Record & Result> R cutShort(R found, @Nullable RuntimeException failure, List<String> args) {
        if (failure == null || isEnding(failure)) {
            return found;
        }
        List<Remark> reasons = new ArrayList<>();
        reasons.add(RemarkCode.ENDED_EARLY
                .with("why", Secrets.inMessage(message(failure), args))
                .remark());
        reasons.addAll(found.reasons());
        return Records.with(found, "validity", new Validity(false, reasons, found.warnings()));
    }

    private static String message(Throwable failure) {
        if (failure instanceof UncheckedIOException io && io.getCause() != null) {
            return message(io.getCause());
        }
        if (failure instanceof NoSuchFileException file) {
            return file.getFile() + ": no such file or directory";
        }
        if (failure instanceof AccessDeniedException file) {
            return file.getFile() + ": permission denied";
        }
        if (failure instanceof InvalidPathException path) {
            return Forms.unusable(path);
        }
        if (failure instanceof OutOfMemoryError full && isOfThreads(full)) {
            return "the system permits no more threads: use fewer --clients or --jobs, or a higher limit (ulimit -u, or that of"
                    + " the container or control group)";
        }
        if (failure instanceof OutOfMemoryError) {
            return String.format(
                    Locale.ROOT,
                    "the heap of %,d MiB is full: use fewer --clients or --jobs, a smaller --key-sample, or a larger"
                            + " heap (STRESS_JAVA_OPTS=-Xmx...)",
                    Runtime.getRuntime().maxMemory() >> 20);
        }
        String text = failure.getMessage();
        String line = text == null
                ? failure.getClass().getSimpleName()
                : text.replaceAll("\\s+", " ").trim();
        return failure instanceof SQLException sql && sql.getSQLState() != null
                ? line + " (SQLSTATE " + sql.getSQLState() + ")"
                : line;
    }

    /** The JVM has no other error for a thread that the system refuses; only {@code Thread.start0} throws it. */
    private static boolean isOfThreads(OutOfMemoryError error) {
        StackTraceElement[] trace = error.getStackTrace();
        return trace.length > 0
                && trace[0].getClassName().equals(Thread.class.getName())
                && trace[0].getMethodName().equals("start0");
    }
}
