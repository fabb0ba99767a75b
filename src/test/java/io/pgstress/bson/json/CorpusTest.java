package io.pgstress.bson.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Documents;
import io.pgstress.bson.JsonTokens;
import io.pgstress.bson.SharedFiles;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Cases in the format of MongoDB's BSON corpus: valid documents with their JSON, and invalid documents. */
class CorpusTest {
    /** The default rejects U+0000. The corpus expects it to be kept, which is possible in JSON but not in jsonb. */
    private static final String NUL = "\\u0000";

    @TestFactory
    Stream<DynamicNode> convertsTheProjectsCorpus() throws Exception {
        return cases(Path.of(
                Objects.requireNonNull(getClass().getResource("/bson/corpus")).toURI()));
    }

    @TestFactory
    Stream<DynamicNode> convertsTheSharedCorpus() throws Exception {
        return cases(SharedFiles.directory("bson-corpus"));
    }

    private static Stream<DynamicNode> cases(Path directory) throws IOException {
        List<DynamicNode> files = new ArrayList<>();
        try (Stream<Path> paths = Files.list(directory)) {
            for (Path path : paths.sorted().toList()) {
                if (path.toString().endsWith(".json")) {
                    files.add(dynamicContainer(path.getFileName().toString(), tests(Files.readString(path))));
                }
            }
        }
        return files.stream();
    }

    private static List<DynamicNode> tests(String json) {
        BsonDocument file = BsonDocument.parse(json);
        List<DynamicNode> tests = new ArrayList<>();
        for (BsonValue each : file.getArray("valid", new BsonArray())) {
            BsonDocument valid = each.asDocument();
            tests.add(dynamicTest(name(valid), () -> becomesWhatTheCorpusSays(valid)));
        }
        for (BsonValue each : file.getArray("decodeErrors", new BsonArray())) {
            BsonDocument invalid = each.asDocument();
            tests.add(dynamicTest(name(invalid), () -> isRejected(bytes(invalid, "bson"))));
        }
        return tests;
    }

    private static String name(BsonDocument test) {
        return test.getString("description").getValue();
    }

    private static byte[] bytes(BsonDocument test, String key) {
        return HexFormat.of().parseHex(test.getString(key).getValue());
    }

    private static void becomesWhatTheCorpusSays(BsonDocument test) {
        for (String form : List.of("canonical_bson", "degenerate_bson")) {
            if (test.containsKey(form)) {
                byte[] bson = bytes(test, form);
                String canonical = test.getString("canonical_extjson").getValue();
                String relaxed = test.getString("relaxed_extjson", new BsonString(canonical))
                        .getValue();
                assertEqual(bson, ExtendedJson.CANONICAL, canonical);
                if (test.containsKey("relaxed_extjson")) {
                    assertEqual(bson, ExtendedJson.RELAXED, relaxed);
                }
            }
        }
        if (!test.getBoolean("lossy", BsonBoolean.FALSE).getValue()) {
            for (String form : List.of("canonical_extjson", "degenerate_extjson")) {
                if (test.containsKey(form)) {
                    String json = test.getString(form).getValue();
                    // decimals may have several forms in BSON, of which JSON keeps the number
                    boolean isExact = !json.contains("$numberDecimal");
                    comesBack(json, isExact ? bytes(test, "canonical_bson") : Documents.ofJson(json));
                }
            }
        }
    }

    private static void comesBack(String json, byte[] bson) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        ByteSink out = new ByteSink(16);
        ExtendedJsonParser parser = new ExtendedJsonParser();
        parser.begin(text, text.length);
        assertThat(parser.parse(0, text.length, false, out)).as(json).isNull();
        assertThat(HexFormat.of().formatHex(out.toByteArray()))
                .as(json)
                .isEqualTo(HexFormat.of().formatHex(bson));
    }

    private static void assertEqual(byte[] bson, ExtendedJson mode, String expected) {
        JsonOptions options = JsonOptions.of(mode);
        if (expected.contains(NUL)) {
            isRejected(bson);
            options = new JsonOptions(mode, NulPolicy.REPLACE, Utf8Policy.REJECT, DuplicateKeyPolicy.KEEP_LAST, 100);
        }
        DocumentConverter converter = new DocumentConverter(options);
        ByteSink out = new ByteSink(16);
        assertThat(converter.convert(bson, 0, bson.length, out))
                .as(() -> String.valueOf(converter.reject()))
                .isTrue();
        assertThat(JsonTokens.of(out.toByteArray())).isEqualTo(JsonTokens.of(expected.replace(NUL, "\ufffd")));
    }

    private static void isRejected(byte[] bson) {
        DocumentConverter converter = new DocumentConverter(JsonOptions.of(ExtendedJson.RELAXED));
        ByteSink out = new ByteSink(16);
        assertThat(converter.convert(bson, 0, bson.length, out)).isFalse();
        assertThat(out.length()).isZero();
        assertThat(Objects.requireNonNull(converter.reject()).offset()).isBetween(0, bson.length);
    }
}
