package io.pgstress.report.format;

import io.pgstress.text.Printable;

/** Text in lines that fit a width, broken between words. */
public final class WrappedText {
    private static final int MIN_WIDTH = 20;

    private WrappedText() {}

    /**
     * Breaks a line; a word that is longer than a line stands alone.
     *
     * @param indent spaces before the lines that continue it
     * @param width characters in a line; less than 20 beside the indentation: unlimited
     */
    public static String of(String foreign, int indent, int width) {
        String line = Printable.lines(foreign);
        if (line.length() <= width || width - indent < MIN_WIDTH) {
            return line;
        }
        StringBuilder text = new StringBuilder();
        String rest = line;
        while (rest.length() > width) {
            int end = rest.lastIndexOf(' ', width);
            end = end <= indent ? rest.indexOf(' ', Math.max(width, indent)) : end;
            if (end < 0) {
                break;
            }
            text.append(rest, 0, end).append('\n');
            rest = " ".repeat(indent) + rest.substring(end).strip();
        }
        return text.append(rest).toString();
    }
}
