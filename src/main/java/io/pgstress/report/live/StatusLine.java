package io.pgstress.report.live;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/** The terminal's last line, which is redrawn. Not thread-safe. */
final class StatusLine {
    private static final String ERASE_TO_END = "\u001b[K";
    private static final String CLEAR = "\r" + ERASE_TO_END;

    private final PrintStream out;
    private final IntSupplier width;
    private boolean shown;

    StatusLine(PrintStream out, Terminal terminal) {
        this.out = out;
        this.width = terminal.width();
    }

    /** The longest text that the line takes now: the cursor needs the last column. */
    int columns() {
        return width.getAsInt() - 1;
    }

    /** Shows a text over the one before, in one write, so that nothing flickers; without the words that do not fit. */
    void show(String text) {
        write("\r" + fitting(text, columns()) + ERASE_TO_END);
        shown = true;
    }

    private static String fitting(String text, int columns) {
        if (text.length() <= columns) {
            return text;
        }
        int end = text.lastIndexOf(' ', columns);
        return text.substring(0, end > 0 ? end : columns);
    }

    void clear() {
        if (shown) {
            write(CLEAR);
            shown = false;
        }
    }

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        out.flush();
    }
}
