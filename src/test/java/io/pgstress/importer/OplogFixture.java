package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.extra.oplog.Oplog.OplogRequest;
import io.pgstress.importer.Replay.OplogSummary;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A dump with a collection, and the oplog that is replayed on it. */
abstract class OplogFixture {
    final OplogWriter oplog = new OplogWriter();
    String url;
    DumpFilter filter = DumpFilter.ALL;
    boolean verify;

    @TempDir
    Path directory;

    @BeforeEach
    void database() throws IOException {
        url = TestServer.freshDatabase("oplog");
        collection("shop", "orders", 1, 2, 3);
    }

    static Map<String, Object> document(Object id) {
        return Map.of("_id", id, "n", 0);
    }

    void collection(String database, String name, Object... ids) throws IOException {
        Path parent = Files.createDirectories(directory.resolve("dump").resolve(database));
        Files.write(
                parent.resolve(name + ".bson"),
                OplogWriter.documents(
                        Arrays.stream(ids).map(OplogTest::document).toList()));
        Files.writeString(parent.resolve(name + ".metadata.json"), "{}");
    }

    ImportSummary replayed(boolean resume, long limit) throws Exception {
        Path dump = directory.resolve("dump");
        Files.write(dump.resolve("oplog.bson"), oplog.bytes());
        Imports imports = new Imports(url, directory);
        imports.resume = resume;
        imports.maxRejects = 100;
        imports.verify = verify;
        imports.oplog = new OplogRequest(true, null, limit).find(List.of(dump.toString()), filter);
        return imports.run(dump);
    }

    OplogSummary replay() throws Exception {
        OplogSummary summary = replayed(false, 0).oplog();
        assertThat(summary).isNotNull();
        return summary;
    }

    /** The documents of a table, in order of their keys. */
    String rows(String table) {
        return TestServer.text(
                url, "select coalesce(string_agg((data - '_id')::text, ' ' order by _id), '') from " + table);
    }

    static Map<String, Object> command(String name, Object value, Object... more) {
        Map<String, Object> command = new LinkedHashMap<>(Map.of(name, value));
        for (int i = 0; i < more.length; i += 2) {
            command.put((String) more[i], more[i + 1]);
        }
        return command;
    }
}
