package io.pgstress.cli;

/** The exit codes of the process. After a signal it is 128 plus the number of the signal, as in a shell. */
final class ExitCode {
    static final int DONE = 0;
    /** Done, but the result is not valid, a limit was exceeded, or a table differs from the dump. */
    static final int LIMIT_BROKEN = 1;
    /** Wrong usage, an invalid scenario, or a file that cannot be read or written. */
    static final int USAGE = 2;
    /** The server was unreachable or not ready. */
    static final int TARGET = 3;
    /** Some data was rejected, such as documents of an import. */
    static final int DATA = 4;
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
        "    1  done, but not valid, beyond a limit, or tables differ from the dump",
        "    2  wrong usage, invalid scenario, or a file that cannot be read or written",
        "    3  server unreachable or not ready",
        "    4  some data was rejected or could not be compared",
        "  " + INTERRUPTED + "  interrupted (Ctrl-C); what was measured so far is reported",
        "  " + TERMINATED + "  ended by SIGTERM, reported in the same way (129: SIGHUP)"
    };

    private ExitCode() {}
}
