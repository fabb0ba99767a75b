package io.pgstress.report.live;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The width of the process's terminal, which {@code stty size} tells; shells do not export {@code COLUMNS}. */
final class TerminalWidth {
    private static final File TERMINAL = new File("/dev/tty");
    private static final Pattern SIZE = Pattern.compile("\\d+ (\\d+)\\s*");
    private static final int MAX_SECONDS = 2;

    private TerminalWidth() {}

    /** The width in characters; 0 if it is unknown. */
    static int query() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(TERMINAL)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return 0;
            }
            return columns(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return 0; // no such command, or no terminal
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** The columns in the output of {@code stty size}: lines and columns, both 0 if the terminal has no size. */
    static int columns(String output) {
        Matcher size = SIZE.matcher(output);
        return size.matches() && size.group(1).length() < 6 ? Integer.parseInt(size.group(1)) : 0;
    }
}
