package io.pgstress.bson.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.DocumentSource;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.bson.InputWindow;
import io.pgstress.bson.SharedFiles;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.bson.json.KeyKinds;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Converts valid and broken files of mongodump from beginning to end. */
class SharedDumpsTest {
    /** The row or reject of each document, or the fault that ended the file. */
    private static List<String> outcomes(String name) throws Exception {
        List<String> outcomes = new ArrayList<>();
        CopyRows rows = new CopyRows(KeyForm.TEXT, JsonOptions.of(ExtendedJson.RELAXED));
        KeyKinds kinds = new KeyKinds();
        ByteSink out = new ByteSink(100);
        Chunk chunk = new Chunk(1_000);
        try (InputStream in = Files.newInputStream(
                SharedFiles.directory("dumps").resolve("bson").resolve(name))) {
            DocumentReader reader = new DocumentReader(new InputWindow(in, name), 1_000);
            DocumentSource.End end = DocumentSource.End.FULL;
            while (end == DocumentSource.End.FULL) {
                end = reader.fill(chunk, 0);
                for (int i = 0; i < chunk.count(); i++) {
                    out.clear();
                    new KeyFinder().see(chunk.array(), chunk.start(i), chunk.size(i), kinds);
                    boolean done = rows.append(chunk.array(), chunk.start(i), chunk.size(i), out);
                    Reject reject = rows.reject();
                    outcomes.add(
                            done || reject == null
                                    ? new String(out.toByteArray(), StandardCharsets.UTF_8)
                                    : reject.message());
                }
            }
        } catch (BsonException e) {
            outcomes.add(e.getMessage());
        }
        assertThat(kinds.form()).isEqualTo(KeyForm.TEXT);
        return outcomes;
    }

    @Test
    void validFilesBecomeRows() throws Exception {
        assertThat(outcomes("sample.bson")).hasSize(4).allMatch(row -> row.endsWith("}"));
        assertThat(outcomes("all_types.bson"))
                .allMatch(row -> row.endsWith("}"))
                .anyMatch(row -> row.contains("$minKey"));
        assertThat(outcomes("deep_nested.bson")).hasSize(1).allMatch(row -> row.endsWith("}}}}"));
    }

    @Test
    void unknownTypeIsARejectAndTruncatedFileAFault() throws Exception {
        assertThat(outcomes("bad_type.bson"))
                .hasSize(4)
                .first()
                .isEqualTo("an unknown element type: 0xaa, at byte 21 of the document");
        assertThat(outcomes("partial_file.bson"))
                .hasSize(3)
                .last()
                .isEqualTo("partial_file.bson at byte 164: expected a document of 48 bytes, found the end of the input"
                        + " after 13");
    }
}
