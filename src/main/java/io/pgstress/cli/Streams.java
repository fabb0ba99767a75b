package io.pgstress.cli;

import io.pgstress.interrupt.Interruption;
import io.pgstress.report.format.Style;
import io.pgstress.report.format.WrappedText;
import io.pgstress.target.driver.PasswordPrompt;
import io.pgstress.text.Printable;
import java.io.PrintStream;
import java.util.Collection;
import java.util.function.IntSupplier;

/**
 * The streams of a command, and the signals that it receives.
 *
 * @param out results
 * @param err progress, warnings and errors
 * @param interruption the signals of the process
 * @param onOut the style of {@code out}
 * @param onErr the style of {@code err}
 * @param columns the width of {@code out} in characters; finding it out may take some milliseconds
 * @param columnsOfErr the width of {@code err}, likewise
 * @param passwords asks for passwords on the terminal
 */
public record Streams(
        PrintStream out,
        PrintStream err,
        Interruption interruption,
        Style onOut,
        Style onErr,
        IntSupplier columns,
        IntSupplier columnsOfErr,
        PasswordPrompt passwords) {
    /** Lines that fit any usual terminal are printed without asking for its width. */
    private static final int USUAL_COLUMNS = 80;

    /** Of the lines that continue a message. */
    private static final int INDENT = 2;

    /** Files or pipes: without colors, of any width, and with nobody to ask. */
    public Streams(PrintStream out, PrintStream err, Interruption interruption) {
        this(
                out,
                err,
                interruption,
                Style.PLAIN,
                Style.PLAIN,
                () -> Integer.MAX_VALUE,
                () -> Integer.MAX_VALUE,
                PasswordPrompt.NONE);
    }

    /** A command that no signal interrupts. */
    public Streams(PrintStream out, PrintStream err) {
        this(out, err, Interruption.none());
    }

    /** Prints a line for the user on stderr. */
    public void note(String line) {
        err.println(message(line));
    }

    /** Names files that were written, in one line on stderr; none if there are none. */
    void wrote(Collection<String> files) {
        if (!files.isEmpty()) {
            note("wrote " + String.join(", ", files));
        }
    }

    /** Prints a line for the user on stderr that stands out. */
    public void warning(String line) {
        err.println(onErr.warning(message("warning: " + line)));
    }

    /** Prints a line of progress on stderr. */
    public void progress(String line) {
        err.println(fitted(Printable.line(line)));
    }

    /** Prints an error on stderr. */
    public void error(String line) {
        err.println(onErr.error(message(line)));
    }

    /**
     * A message and a command that the user can type, for the methods here: on a terminal, the command stands in a line of its own,
     * which is not broken.
     */
    static String withCommand(String message, String command) {
        return message + "\n" + command;
    }

    private String message(String text) {
        return fitted("stress: " + text);
    }

    /** A text in lines that fit a terminal; one line for a file or a pipe. */
    private String fitted(String foreign) {
        String text = Printable.lines(foreign);
        if (text.length() <= USUAL_COLUMNS && text.indexOf('\n') < 0) {
            return text;
        }
        int width = columnsOfErr.getAsInt();
        if (width == Integer.MAX_VALUE) {
            return Printable.line(text);
        }
        String[] lines = text.split("\n", 2);
        String first = WrappedText.of(lines[0], INDENT, width);
        return lines.length == 1
                ? first
                : first + "\n" + lines[1].indent(INDENT).stripTrailing();
    }
}
