package io.pgstress.report.live;

import java.io.PrintStream;

/** The terminal's last line, which is redrawn. Not thread-safe. */
final class StatusLine {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream out;
    private final int columns;
    private boolean shown;

    StatusLine(PrintStream out, Terminal terminal) {
        this.out = out;
        this.columns = terminal.columns() - 1;
    }

    /** Replaces the line by this text, cut to the terminal's width. */
    void show(String text) {
        out.print(CLEAR + (text.length() > columns ? text.substring(0, columns) : text));
        out.flush();
        shown = true;
    }

    /** Clears the line. */
    void clear() {
        if (shown) {
            out.print(CLEAR);
            out.flush();
            shown = false;
        }
    }
}
