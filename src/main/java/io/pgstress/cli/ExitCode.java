package io.pgstress.cli;

import io.pgstress.result.Result;
import java.util.List;

/**
 * The exit codes of the process. A command that cannot go on ends at once with 2, 3 or 4. Otherwise the worst of its results decides:
 * not valid, then a limit that was exceeded, then done. After a signal it is 128 plus the number of the signal, as in a shell.
 */
final class ExitCode {
    static final int DONE = 0;
    /** Done, but a requested limit was exceeded, or a table differs from the dump. The figures can be used. */
    static final int LIMIT_BROKEN = 1;
    /** Wrong usage, an invalid scenario, or a file that cannot be read or written. */
    static final int USAGE = 2;
    /** The server was unreachable or not ready. */
    static final int TARGET = 3;
    /** Some data was rejected, such as documents of an import. */
    static final int DATA = 4;
    /** Done, but a result is not valid: its figures must not be used, nor compared with a limit. */
    static final int NOT_VALID = 5;
    /** For the launcher only: the options are valid, and nothing was done. */
    static final int VALID = 75;
    /** Interrupted (Ctrl-C, SIGINT); see {@link io.pgstress.interrupt.Interruption#exitCode}. */
    static final int INTERRUPTED = 130;
    /** Ended by SIGTERM. */
    static final int TERMINATED = 143;

    /** The list of exit codes for {@code --help}. */
    static final String[] HELP = {
        "",
        "Exit codes:",
        "    0  done",
        "    1  done, but a limit was exceeded, tables differ from the dump, or no go",
        "    2  wrong usage, invalid scenario, or a file that cannot be read or written",
        "    3  server unreachable or not ready",
        "    4  some data was rejected or could not be compared",
        "    5  done, but not valid: do not use the figures",
        "  " + INTERRUPTED + "  interrupted (Ctrl-C); what was measured so far is reported",
        "  " + TERMINATED + "  ended by SIGTERM, reported in the same way (129: SIGHUP)"
    };

    private ExitCode() {}

    /** The code of the worst of these results; {@link #NOT_VALID} if there are none. */
    static int of(List<? extends Result> results) {
        if (results.isEmpty() || !results.stream().allMatch(Result::valid)) {
            return NOT_VALID;
        }
        return results.stream().anyMatch(Result::exceedsLimit) ? LIMIT_BROKEN : DONE;
    }

    /** Whether a command that ended with this code has measured something, well or not. */
    static boolean hasResult(int code) {
        return code == DONE || code == LIMIT_BROKEN || code == NOT_VALID;
    }
}
