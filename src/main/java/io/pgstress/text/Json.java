package io.pgstress.text;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.NameTransformer;

/**
 * Converts records, maps and lists to and from JSON. The components of a record are the names; nulls are omitted. Thread-safe.
 */
public final class Json {
    /** Not created by a program that only reads maps: it takes 500 classes. */
    private static final class Records {
        static final JsonMapper MAPPER = JsonMapper.builder()
                .changeDefaultPropertyInclusion(v -> v.withValueInclusion(JsonInclude.Include.NON_NULL)
                        .withContentInclusion(JsonInclude.Include.NON_NULL))
                .annotationIntrospector(new InlineComponents())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .build();
    }

    /** Knows {@link Inline}. */
    private static final class InlineComponents extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable NameTransformer findUnwrappingNameTransformer(MapperConfig<?> config, AnnotatedMember member) {
            return member.hasAnnotation(Inline.class) ? NameTransformer.NOP : null;
        }
    }

    private Json() {}

    /** Indented JSON. */
    public static String write(Object value) {
        return Records.MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value) + "\n";
    }

    /** JSON on one line, without a line feed. */
    public static String writeLine(Object value) {
        return Records.MAPPER.writeValueAsString(value);
    }

    /**
     * Reads a record from JSON; ignores unknown names, so that newer files can be read.
     *
     * @throws TextException if it is not JSON or does not fit the type
     */
    public static <T> T read(String json, Class<T> type) {
        try {
            return Records.MAPPER.readValue(json, type);
        } catch (JacksonException e) {
            throw TextException.of(e);
        }
    }

    /**
     * Reads a JSON object as maps, lists, strings, numbers and booleans. Numbers are {@code Integer}, {@code Long}, {@code
     * BigInteger} or {@code Double}.
     *
     * @throws TextException if it is not a JSON object
     */
    public static Map<String, Object> readMap(String json) {
        return JsonMaps.read(json, JsonParser::getNumberValue);
    }

    /** Reads a map. If the JSON is invalid, returns what precedes the fault; an empty map if it is not an object. */
    public static Map<String, Object> readBeginning(String json) {
        return JsonMaps.readBeginning(json);
    }

    /**
     * Like {@link #readMap}, but numbers are exact: integers, or {@link java.math.BigDecimal}.
     *
     * @throws TextException if it is not a JSON object
     */
    public static Map<String, Object> readExactMap(String json) {
        return JsonMaps.read(
                json,
                in -> in.currentToken() == JsonToken.VALUE_NUMBER_INT ? in.getNumberValue() : in.getDecimalValue());
    }

    /** Reads any JSON value as {@link #readExactMap} reads those of an object. */
    public static @Nullable Object readExact(String json) {
        return readExactMap("{\"value\":" + json + "}").get("value");
    }

    /** What {@link #readExact} reads as this value; in contrast to {@link #writeLine}, with nulls. */
    public static String writeExact(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        JsonMaps.write(value, out);
        return out.toString();
    }
}
