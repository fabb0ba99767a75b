package io.pgstress.bson.copy;

import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.KeyForm;

/** The field writer for each form of key in each format. */
final class KeyFields {
    private KeyFields() {}

    static KeyField of(KeyForm form, CopyFormat format, JsonOptions options) {
        boolean text = format == CopyFormat.TEXT;
        return switch (form) {
            case INT -> text ? IntegerFields::intText : IntegerFields::intBinary;
            case BIGINT -> text ? IntegerFields::bigintText : IntegerFields::bigintBinary;
            case NUMERIC -> text ? new NumericFields()::text : new NumericFields()::binary;
            case UUID -> text ? FixedFields::uuidText : FixedFields::uuidBinary;
            case TIMESTAMPTZ -> text ? FixedFields::timestampText : FixedFields::timestampBinary;
            case TEXT -> new TextFields(format, options)::plain;
            case TEXT_OF_JSON -> new TextFields(format, options)::json;
        };
    }
}
