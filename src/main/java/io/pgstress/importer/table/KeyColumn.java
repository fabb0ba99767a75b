package io.pgstress.importer.table;

import io.pgstress.bson.json.KeyForm;
import io.pgstress.plan.KeyType;

/** The types of the column {@code _id}, and the forms of keys in them. */
final class KeyColumn {
    private KeyColumn() {}

    static KeyType typeOf(KeyForm form) {
        return switch (form) {
            case INT -> KeyType.INT;
            case BIGINT -> KeyType.BIGINT;
            case NUMERIC -> KeyType.NUMERIC;
            case UUID -> KeyType.UUID;
            case TIMESTAMPTZ -> KeyType.TIMESTAMPTZ;
            case TEXT, TEXT_OF_JSON -> KeyType.TEXT;
        };
    }

    /** The form of keys in a column of this type; for text it depends on the kinds of keys in the input. */
    static KeyForm formOf(KeyType type, KeyForm found) {
        return switch (type) {
            case INT -> KeyForm.INT;
            case BIGINT -> KeyForm.BIGINT;
            case NUMERIC -> KeyForm.NUMERIC;
            case UUID -> KeyForm.UUID;
            case TIMESTAMPTZ -> KeyForm.TIMESTAMPTZ;
            case TEXT -> found == KeyForm.TEXT_OF_JSON ? found : KeyForm.TEXT;
        };
    }
}
