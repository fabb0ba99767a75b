package io.pgstress.report.text;

/**
 * A labeled statement in a report.
 *
 * @param isDetail whether the console shows it only with {@code --verbose}; files contain all facts
 */
record Fact(String label, String text, boolean isDetail) {
    /** A fact that is always shown. */
    Fact(String label, String text) {
        this(label, text, false);
    }

    static Fact detail(String label, String text) {
        return new Fact(label, text, true);
    }
}
