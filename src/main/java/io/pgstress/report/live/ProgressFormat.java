package io.pgstress.report.live;

import java.io.PrintStream;

/** How progress is shown; the values of {@code --progress-format}. */
public enum ProgressFormat {
    /** {@link #LINE} on a terminal, else {@link #PLAIN}. */
    AUTO,
    /** One line that is redrawn. */
    LINE,
    /** One line per interval. */
    PLAIN,
    /** One JSON object per interval. */
    JSON,
    NONE;

    /** The format to use on this terminal; never {@link #AUTO}. */
    public ProgressFormat on(Terminal terminal) {
        if (this != AUTO) {
            return this;
        }
        return terminal.isTerminal() ? LINE : PLAIN;
    }

    /** A view of a run in this format. */
    public LiveView view(Terminal terminal, PrintStream out) {
        return switch (on(terminal)) {
            case LINE -> new LineView(new StatusLine(out, terminal), terminal);
            case JSON -> new JsonLinesView(out);
            case NONE -> LiveView.NONE;
            default -> new PlainView(out);
        };
    }
}
