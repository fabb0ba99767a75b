package io.pgstress.bson.json;

/** The column type for keys and, for text, the form of the text. */
public enum KeyForm {
    INT("int"),
    BIGINT("bigint"),
    NUMERIC("numeric"),
    UUID("uuid"),
    TIMESTAMPTZ("timestamptz"),
    /**
     * Strings unchanged, ObjectIds as 24 hex digits, anything else as canonical JSON. For keys of one kind; keys of different
     * kinds might have the same text.
     */
    TEXT("text"),
    /** The canonical JSON of every value, strings in quotes: for keys of several kinds. Different values have different texts. */
    TEXT_OF_JSON("text");

    private final String type;

    KeyForm(String type) {
        this.type = type;
    }

    /** The column's type, as for {@code --key-type}. */
    public String type() {
        return type;
    }
}
