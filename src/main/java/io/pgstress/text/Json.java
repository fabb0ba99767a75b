package io.pgstress.text;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts records, maps and lists to and from JSON. The components of a record are the names; nulls are omitted. Thread-safe.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .changeDefaultPropertyInclusion(v -> v.withValueInclusion(JsonInclude.Include.NON_NULL)
                    .withContentInclusion(JsonInclude.Include.NON_NULL))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();

    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    private Json() {}

    /** Indented JSON. */
    public static String write(Object value) {
        return MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value) + "\n";
    }

    /** JSON on one line, without a line feed. */
    public static String writeLine(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /**
     * Reads a record from JSON; ignores unknown names, so that newer files can be read.
     *
     * @throws TextException if it is not JSON or does not fit the type
     */
    public static <T> T read(String json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JacksonException e) {
            throw TextException.of(e);
        }
    }

    /**
     * Reads a JSON object as maps, lists, strings, numbers and booleans.
     *
     * @throws TextException if it is not a JSON object
     */
    public static Map<String, Object> readMap(String json) {
        return map(MAPPER.readerFor(MAP), json);
    }

    /**
     * Like {@link #readMap}, but numbers are exact: integers, or {@link java.math.BigDecimal}.
     *
     * @throws TextException if it is not a JSON object
     */
    public static Map<String, Object> readExactMap(String json) {
        return map(MAPPER.readerFor(MAP).with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS), json);
    }

    private static Map<String, Object> map(ObjectReader reader, String json) {
        try {
            Map<String, Object> map = reader.readValue(json);
            if (map == null) {
                throw new TextException("is null, not a JSON object");
            }
            return map;
        } catch (JacksonException e) {
            throw TextException.of(e);
        }
    }
}
