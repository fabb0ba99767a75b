package io.pgstress.report.live;

import io.pgstress.interrupt.Signals.SignalAction;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The destination of stderr.
 *
 * @param isTerminal whether it is a terminal that supports the escape sequences of ECMA-48
 * @param columns width in characters
 * @param isUnicode whether it displays block elements
 * @param isAsked whether the width is what the terminal said, and may change; otherwise it is fixed
 */
public record Terminal(boolean isTerminal, int columns, boolean isUnicode, boolean isAsked) {
    private static final Path STDIN = Path.of("/proc/self/fd/0");
    private static final Path STDOUT = Path.of("/proc/self/fd/1");
    private static final Path STDERR = Path.of("/proc/self/fd/2");
    private static final int COLUMNS = 80;
    private static final int MIN_COLUMNS = 20;

    /** A terminal with a fixed width. */
    Terminal(boolean isTerminal, int columns, boolean isUnicode) {
        this(isTerminal, columns, isUnicode, false);
    }

    /** Detects the terminal. {@code PGSTRESS_TERMINAL}, {@code true} or {@code false}, overrides detection, for launchers. */
    public static Terminal stderr(Map<String, String> environment) {
        return new Terminal(
                isTerminal("PGSTRESS_TERMINAL", STDERR, environment), columns(environment), isUnicode(environment));
    }

    /** Stderr, with its width. If the environment does not give the width, the terminal is asked, in some milliseconds. */
    public static Terminal stderrWithWidth(Map<String, String> environment) {
        Terminal found = stderr(environment);
        int asked = found.isTerminal && !environment.containsKey("COLUMNS") ? TerminalWidth.query() : 0;
        return asked == 0 ? found : new Terminal(true, Math.max(MIN_COLUMNS, asked), found.isUnicode, true);
    }

    /** The width from now on, which follows the terminal's if that was asked for. */
    IntSupplier width() {
        if (!isAsked) {
            return () -> columns;
        }
        AtomicBoolean isChanged = new AtomicBoolean();
        AtomicInteger width = new AtomicInteger(columns);
        boolean unused = SignalAction.on("WINCH", number -> isChanged.set(true));
        return () -> {
            int asked = isChanged.getAndSet(false) ? TerminalWidth.query() : 0;
            if (asked > 0) {
                width.set(Math.max(MIN_COLUMNS, asked));
            }
            return width.get();
        };
    }

    /** Whether stdout is a terminal, likewise; {@code PGSTRESS_STDOUT} overrides detection. */
    public static boolean isStdout(Map<String, String> environment) {
        return isTerminal("PGSTRESS_STDOUT", STDOUT, environment);
    }

    /** Whether stdin is a terminal; {@code PGSTRESS_STDIN} overrides detection. */
    public static boolean isStdin(Map<String, String> environment) {
        return isTerminal("PGSTRESS_STDIN", STDIN, environment);
    }

    /** The width of the terminal that stdout is. */
    public static int stdoutColumns(Map<String, String> environment) {
        int asked = environment.containsKey("COLUMNS") ? 0 : TerminalWidth.query();
        return asked == 0 ? columns(environment) : Math.max(MIN_COLUMNS, asked);
    }

    private static boolean isTerminal(String variable, Path descriptor, Map<String, String> environment) {
        if (environment.getOrDefault("TERM", "").equals("dumb")) {
            return false;
        }
        String told = environment.getOrDefault(variable, "");
        if (!told.isEmpty()) {
            return told.equals("true");
        }
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            // not Linux: the JDK knows only about stdin and stdout
            return false;
        }
    }

    private static int columns(Map<String, String> environment) {
        try {
            return Math.max(MIN_COLUMNS, Integer.parseInt(environment.getOrDefault("COLUMNS", "")));
        } catch (NumberFormatException e) {
            return COLUMNS;
        }
    }

    private static boolean isUnicode(Map<String, String> environment) {
        for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            String locale = environment.getOrDefault(name, "");
            if (!locale.isEmpty()) {
                return locale.toLowerCase(Locale.ROOT).replace("-", "").endsWith("utf8");
            }
        }
        return environment.containsKey("WT_SESSION");
    }

    /** The width of the process's terminal, which {@code stty size} tells; shells do not export {@code COLUMNS}. */
    static final class TerminalWidth {
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
}
