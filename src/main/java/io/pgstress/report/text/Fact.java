package io.pgstress.report.text;

/**
 * What there is to say about one thing.
 *
 * @param isDetail whether the console shows it only with {@code --verbose}; files have all
 */
record Fact(String label, String text, boolean isDetail) {
    /** One that is always shown. */
    Fact(String label, String text) {
        this(label, text, false);
    }

    static Fact detail(String label, String text) {
        return new Fact(label, text, true);
    }
}
