package io.pgstress.bson.json;

import java.nio.charset.StandardCharsets;

/** Pieces of JSON as bytes. */
final class Token {
    private Token() {}

    /** The bytes of a piece of JSON in which ' stands for ", for readability. */
    static byte[] of(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.US_ASCII);
    }
}
