package io.pgstress.bson;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The tokens of a JSON text with decoded strings; an exception if it is not valid. */
public final class JsonTokens {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonTokens() {}

    public static List<String> of(byte[] utf8) {
        try {
            return of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not UTF-8", e);
        }
    }

    /** Brackets, colons and words as they are, strings with a leading {@code s}, numbers with a leading {@code n}. */
    public static List<String> of(String text) {
        List<String> tokens = new ArrayList<>();
        int depth = 0;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (depth == 0 && !tokens.isEmpty()) {
                    throw new IllegalArgumentException("more than one value: " + text);
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                switch (token) {
                    case PROPERTY_NAME -> tokens.addAll(List.of("s" + parser.currentName(), ":"));
                    case VALUE_STRING -> tokens.add("s" + parser.getString());
                    case VALUE_NUMBER_INT -> tokens.add("n" + plain(parser));
                    case VALUE_NUMBER_FLOAT -> tokens.add("n" + plain(parser) + "f");
                    default -> tokens.add(parser.getString());
                }
            }
        }
        return tokens;
    }

    private static BigDecimal plain(JsonParser parser) {
        return new BigDecimal(parser.getString()).stripTrailingZeros();
    }
}
