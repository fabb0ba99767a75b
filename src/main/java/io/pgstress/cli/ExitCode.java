package io.pgstress.cli;

/** What the process ends with. */
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

    private ExitCode() {}
}
