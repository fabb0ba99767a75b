package io.pgstress.cli;

import io.pgstress.interrupt.Interruption;
import io.pgstress.report.format.Style;
import io.pgstress.target.driver.PasswordPrompt;
import io.pgstress.text.Printable;
import java.io.PrintStream;
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
 * @param passwords asks for passwords on the terminal
 */
public record Streams(
        PrintStream out,
        PrintStream err,
        Interruption interruption,
        Style onOut,
        Style onErr,
        IntSupplier columns,
        PasswordPrompt passwords) {
    /** Files or pipes: without colors, of any width, and with nobody to ask. */
    public Streams(PrintStream out, PrintStream err, Interruption interruption) {
        this(out, err, interruption, Style.PLAIN, Style.PLAIN, () -> Integer.MAX_VALUE, PasswordPrompt.NONE);
    }

    /** A command that no signal interrupts. */
    public Streams(PrintStream out, PrintStream err) {
        this(out, err, Interruption.none());
    }

    /** Prints a line for the user on stderr. */
    public void note(String line) {
        err.println("stress: " + Printable.lines(line));
    }

    /** Prints a line for the user on stderr that stands out. */
    public void warning(String line) {
        err.println(onErr.warning("stress: warning: " + Printable.lines(line)));
    }

    /** Prints a line of progress on stderr. */
    public void progress(String line) {
        err.println(Printable.line(line));
    }

    /** Prints an error on stderr. */
    public void error(String line) {
        err.println(onErr.error("stress: " + Printable.lines(line)));
    }
}
