package io.pgstress.cli;

import static io.pgstress.cli.CommandLineTest.assertOneLine;
import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.bson.Documents;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stress import --oplog-replay}: what it says, and exit codes. */
final class OplogCommandTest {
    @TempDir
    private Path directory;

    private static byte[] document(String op, int id) {
        return Documents.ofJson(
                op.isEmpty() ? "{_id: " + id + "}" : "{op: '" + op + "', ns: 'shop.orders', o: {_id: " + id + "}}");
    }

    @Test
    void outcomeIsOneLineAndRejectsGiveExitCode4() throws IOException {
        String url = TestServer.freshDatabase("cli_oplog");
        Path shop = Files.createDirectory(directory.resolve("shop"));
        Files.write(shop.resolve("orders.bson"), document("", 1));
        Files.write(directory.resolve("oplog.bson"), document("i", 2));
        String dump = directory.toString();

        Ended ended = stress("import %s --url %s -q --oplog-replay --rejects %s".formatted(dump, url, dump));

        assertThat(ended.code()).isZero();
        assertThat(ended.out()).containsPattern("\n  oplog +1 entry in [0-9.]+ s \\(1 insert\\), the last of 0:0\n");
        assertThat(ended.out()).doesNotContain("not imported");
        assertThat(TestServer.number(url, "select count(*) from orders")).isEqualTo(2);

        Files.write(directory.resolve("oplog.bson"), document("x", 3));
        Ended rejected =
                stress("import %s --url %s -q --oplog-replay --rejects %s --if-exists drop".formatted(dump, url, dump));

        assertThat(rejected.code()).isEqualTo(ExitCode.DATA);
        assertThat(rejected.out()).contains("\nwarning: oplog: 1 operation rejected, an unknown operation\n");
        assertThat(rejected.err()).contains("rejected, more than --max-rejects 0");
    }

    @Test
    void aFileReplacesTheDumpsOplog() throws IOException {
        String url = TestServer.freshDatabase("cli_oplog_file");
        Path dump = Files.createDirectories(directory.resolve("dump/shop"));
        Files.write(dump.resolve("orders.bson"), document("", 1));
        Files.writeString(dump.resolve("orders.metadata.json"), "{}");
        Files.write(dump.resolveSibling("oplog.bson"), document("i", 2));
        Path other = Files.write(directory.resolve("other.bson"), document("i", 3));

        Ended ended = stress("import %s --url %s -q --if-exists drop --oplog-replay --oplog-file %s --rejects %s"
                .formatted(dump.getParent(), url, other, directory));

        assertThat(ended.code()).isZero();
        assertThat(ended.out()).contains("not imported: oplog (an oplog, in whose place another one was replayed)");
        assertThat(TestServer.number(url, "select sum(_id) from orders")).isEqualTo(4);
    }

    @Test
    void wrongOptionsAreNamed() throws IOException {
        Path file = Files.write(directory.resolve("orders.bson"), document("", 1));
        String dump = file.toString();

        assertOneLine(stress("import " + dump + " --oplog-replay"), ExitCode.USAGE, "there is no oplog in");
        assertOneLine(stress("import - --oplog-replay --oplog-file " + dump + "x"), ExitCode.USAGE, "no such file");
    }
}
