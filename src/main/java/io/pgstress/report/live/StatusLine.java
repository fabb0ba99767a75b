package io.pgstress.report.live;

import java.io.PrintStream;

/** The terminal's last line, written over and over. Not thread-safe. */
final class StatusLine {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream out;
    private final int columns;
    private boolean shown;

    StatusLine(PrintStream out, Terminal terminal) {
        this.out = out;
        this.columns = terminal.columns() - 1;
    }

    /** Shows this text, cut to the terminal's width, instead of the one before. */
    void show(String text) {
        out.print(CLEAR + (text.length() > columns ? text.substring(0, columns) : text));
        out.flush();
        shown = true;
    }

    /** Leaves an empty line. */
    void clear() {
        if (shown) {
            out.print(CLEAR);
            out.flush();
            shown = false;
        }
    }
}
