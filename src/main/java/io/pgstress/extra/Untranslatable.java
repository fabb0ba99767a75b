package io.pgstress.extra;

/** Signals that something of MongoDB's has no counterpart on jsonb; the message is the reason, and contains no values. */
public final class Untranslatable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Untranslatable(String reason) {
        super(reason, null, false, false);
    }

    /** The reason, for a person. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
