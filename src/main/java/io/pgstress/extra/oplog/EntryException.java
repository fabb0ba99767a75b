package io.pgstress.extra.oplog;

/** An entry, or an operation in it, that cannot be applied. */
final class EntryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String kind;

    /**
     * @param kind the reason in a few words, the same for all entries of a kind
     * @param detail what was found; may be empty
     */
    EntryException(String kind, String detail) {
        super(detail.isEmpty() ? kind : kind + ": " + detail);
        this.kind = kind;
    }

    static EntryException malformed(String detail) {
        return new EntryException("a malformed entry", detail);
    }

    /** The reason in a few words. */
    String kind() {
        return kind;
    }
}
