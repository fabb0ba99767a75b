package io.pgstress.bson.key;

/** The column that keys are written into: its type and, for text, what the text is. */
public enum KeyForm {
    INT("int"),
    BIGINT("bigint"),
    NUMERIC("numeric"),
    UUID("uuid"),
    TIMESTAMPTZ("timestamptz"),
    /**
     * Strings as they are, ObjectIds as 24 hex digits, anything else as its canonical JSON. For keys of one kind; with several, texts of
     * different ones might be the same.
     */
    TEXT("text"),
    /** The canonical JSON of every value, strings in quotes: for keys of several kinds. Different values have different texts. */
    TEXT_OF_JSON("text");

    private final String type;

    KeyForm(String type) {
        this.type = type;
    }

    /** The column's type, as {@code --key-type} has it. */
    public String type() {
        return type;
    }
}
