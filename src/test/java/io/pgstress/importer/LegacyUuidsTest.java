package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.DuplicateKeyPolicy;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.JsonOptions.NulPolicy;
import io.pgstress.bson.json.JsonOptions.Utf8Policy;
import io.pgstress.bson.json.LegacyUuids;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import java.util.UUID;
import org.bson.UuidRepresentation;
import org.bson.internal.UuidHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** UUIDs of binary subtype 3, in the byte orders of MongoDB's drivers. */
final class LegacyUuidsTest extends ImportTestCase {
    private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

    private static JsonOptions options(LegacyUuids uuids) {
        return new JsonOptions(
                ExtendedJson.RELAXED,
                NulPolicy.REJECT,
                Utf8Policy.REJECT,
                DuplicateKeyPolicy.KEEP_LAST,
                JsonOptions.DEFAULT_MAX_DEPTH,
                uuids);
    }

    private static byte[] documents(UuidRepresentation of) {
        byte[] value = UuidHelper.encodeUuidToBinary(ID, of);
        return Imports.documents(1, (w, i) -> w.binary("_id", 3, value).binary("other", 3, value));
    }

    @ParameterizedTest
    @CsvSource({"JAVA, JAVA_LEGACY", "CSHARP, C_SHARP_LEGACY", "PYTHON, PYTHON_LEGACY"})
    void optionGivesTheUuidThatTheDriverMeant(LegacyUuids order, UuidRepresentation of) throws Exception {
        imports.json = options(order);
        imports.verify = true;
        imports.ifExists = IfExists.DROP;

        CollectionSummary summary = imports.one("old_uuids", documents(of));

        assertThat(summary.fault()).isEmpty();
        assertThat(summary.keyType()).isEqualTo("uuid");
        assertThat(summary.legacyUuids()).isZero();
        assertThat(TestServer.text(url, "select _id from old_uuids")).isEqualTo(ID.toString());
        assertThat(TestServer.text(url, "select data -> 'other' -> '$binary' ->> 'subType' from old_uuids"))
                .isEqualTo("04");
        assertThat(
                        TestServer.text(
                                url,
                                "select encode(decode(data -> 'other' -> '$binary' ->> 'base64', 'base64'), 'hex') from old_uuids"))
                .isEqualTo(ID.toString().replace("-", ""));
    }

    @Test
    void withoutItTheyStayAndAreCounted() throws Exception {
        CollectionSummary summary = imports.one("kept", documents(UuidRepresentation.JAVA_LEGACY));

        assertThat(summary.keyType()).isEqualTo("text");
        assertThat(summary.legacyUuids()).isEqualTo(1);
        assertThat(TestServer.text(url, "select data -> 'other' -> '$binary' ->> 'subType' from kept"))
                .isEqualTo("03");
    }

    @Test
    void importIsNotResumedWithAnotherOrder() throws Exception {
        Path dump = imports.write("half", documents(UuidRepresentation.JAVA_LEGACY));
        imports.json = options(LegacyUuids.JAVA);
        imports.one(dump);

        imports.resume = true;
        assertThat(imports.one(dump).skipped()).isEqualTo(1);
        imports.json = options(LegacyUuids.CSHARP);
        assertThatThrownBy(() -> imports.one(dump)).hasMessageContaining("another --extended-json or --uuid");
    }
}
