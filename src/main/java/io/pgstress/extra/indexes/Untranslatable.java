package io.pgstress.extra.indexes;

/** Thrown for a property of an index that has no counterpart; the message is the reason. */
final class Untranslatable extends Exception {
    private static final long serialVersionUID = 1;

    Untranslatable(String reason) {
        super(reason);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
