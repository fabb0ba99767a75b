package io.pgstress.cli;

/** The process's exit codes. Signals have 128 and their number, as in a shell, whatever a report says. */
final class ExitCode {
    static final int DONE = 0;
    /** Done, but a limit that was asked for is broken: errors, latency, regression, validity. */
    static final int LIMIT_BROKEN = 1;
    /** Wrong usage or scenario; a file that cannot be read or written. */
    static final int USAGE = 2;
    /** The target is not reachable or not preparable. */
    static final int TARGET = 3;
    /** Data was refused: an import with rejects. */
    static final int DATA = 4;
    /** Interrupted by Ctrl-C, SIGINT; see {@link io.pgstress.interrupt.Interruption#exitCode}. */
    static final int INTERRUPTED = 130;
    /** Ended by SIGTERM. */
    static final int TERMINATED = 143;

    /** All of them, for {@code --help}. */
    static final String[] HELP = {
        "",
        "Exit codes:",
        "    0  done",
        "    1  done, but not valid, or a limit was exceeded",
        "    2  wrong usage, invalid scenario, or a file that cannot be read or written",
        "    3  the target could not be reached or prepared",
        "    4  some data was rejected",
        "  " + INTERRUPTED + "  interrupted (Ctrl-C, SIGINT); what was measured so far is reported",
        "  " + TERMINATED + "  ended by SIGTERM, likewise (129: by SIGHUP)"
    };

    private ExitCode() {}
}
