package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.Documents;
import io.pgstress.bson.dump.Archives;
import io.pgstress.extra.oplog.Oplog;
import io.pgstress.extra.oplog.Oplog.OplogRequest;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where the oplog of a dump is found. */
final class OplogInputTest extends OplogFixture {
    @Test
    void oplogOfAMemberIsFound() throws Exception {
        collection("local", "oplog.rs");
        oplog.insert("shop.orders", Map.of("_id", 4, "n", 4));
        Path dump = directory.resolve("dump");
        Files.write(dump.resolve("local").resolve("oplog.rs.bson"), oplog.bytes());
        Imports imports = new Imports(url, directory);
        imports.oplog = Oplog.find(dump.toString(), null, filter, 0);

        ImportSummary summary = imports.run(dump);

        assertThat(TestServer.number(url, "select max(_id) from orders")).isEqualTo(4);
        assertThat(summary.leftOut()).isEmpty();
    }

    @Test
    void oplogOfAnArchiveIsFound() throws Exception {
        oplog.insert("shop.orders", Map.of("_id", 4, "n", 4));
        byte[] orders = OplogWriter.documents(List.of(document(1)));
        Path archive = Files.write(
                directory.resolve("archive"),
                Documents.concat(
                        Archives.prelude(
                                Archives.metadata("shop", "orders", "", ""), Archives.metadata("", "oplog", "", "")),
                        Archives.block("shop", "orders", orders),
                        Archives.end("shop", "orders", orders),
                        Archives.block("", "oplog", oplog.bytes()),
                        Archives.end("", "oplog", oplog.bytes())));
        Imports imports = new Imports(url, directory);
        imports.oplog = Oplog.find(archive.toString(), null, filter, 0);

        ImportSummary summary = imports.run(archive);

        assertThat(summary.isWhole()).isTrue();
        assertThat(TestServer.number(url, "select sum(_id) from orders")).isEqualTo(5);
    }

    @Test
    void missingOplogIsNamedBeforeTheImport() {
        String dump = directory.resolve("dump").toString();

        assertThatThrownBy(() -> Oplog.find(dump, null, filter, 0))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining("there is no oplog in " + dump);
        assertThatThrownBy(() -> Oplog.find("-", null, filter, 0)).hasMessageContaining("--oplog-file");
        assertThatThrownBy(() -> OplogRequest.limit("yesterday")).hasMessageContaining("SECONDS[:COUNTER]");
    }
}
