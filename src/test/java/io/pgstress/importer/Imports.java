package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.BsonWriter;
import io.pgstress.bson.Documents;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.extra.diff.DiffInput;
import io.pgstress.extra.diff.DumpDiff;
import io.pgstress.extra.indexes.IndexMode;
import io.pgstress.importer.ImportInput.FirstPart;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.TableRules;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.KeyType;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.Child;
import io.pgstress.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Imports of small dumps into the tests' server. */
final class Imports {
    String url;
    final Path directory;

    @Nullable
    KeyType keyType;

    int jobs = 1;
    boolean keyAfter = true;
    IfExists ifExists = IfExists.FAIL;
    OnDuplicate onDuplicate = OnDuplicate.FAIL;
    boolean resume;
    boolean verify;
    boolean atomic;
    boolean generateIds;
    ImportListener listener = ImportListener.NONE;
    long maxRejects;
    String progressSchema = "";
    IndexMode indexes = IndexMode.REPORT;
    TableOptions tableOptions = TableOptions.DEFAULT;

    JsonOptions json = JsonOptions.of(ExtendedJson.RELAXED);
    Naming naming = Naming.AS_DUMPED;

    Imports(String url, Path directory) {
        this.url = url;
        this.directory = directory;
    }

    /** Documents with the numbers from 0 to before {@code count}; {@code fields} writes the elements of each. */
    static byte[] documents(int count, BiConsumer<BsonWriter, Integer> fields) {
        return Documents.of(count, fields);
    }

    /** Documents {@code {_id: id(i), n: i}}. */
    static byte[] numbered(int count, IntUnaryOperator id) {
        return documents(count, (w, i) -> w.int32("_id", id.applyAsInt(i)).int32("n", i));
    }

    /** Like {@link #numbered}, with 250 bytes each: 33,000 fill a chunk. */
    static byte[] wide(int count, IntUnaryOperator id) {
        String text = "x".repeat(221);
        return documents(
                count, (w, i) -> w.int32("_id", id.applyAsInt(i)).int32("n", i).string("s", text));
    }

    /** Writes {@code <name>.bson}. */
    Path write(String name, byte[] documents) {
        try {
            return Files.write(directory.resolve(name + ".bson"), documents);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ImportOptions options() {
        TableRules rules = new TableRules(keyType, keyAfter, ifExists, onDuplicate, resume, atomic, verify);
        return new ImportOptions(
                json, generateIds, rules, jobs, maxRejects, directory, progressSchema, naming, indexes.step());
    }

    Importer importer() throws SQLException {
        return importer(null);
    }

    private Importer importer(@Nullable TableVerifier verifier) throws SQLException {
        Connector connector = TestServer.connector(url);
        Dialect dialect;
        try (Connection connection = connector.open(SessionPurpose.CONTROL)) {
            dialect = Dialects.of(Dialects.AUTO, connection).with(tableOptions);
        }
        return new Importer(dialect.connector(connector), dialect, options(), listener, verifier);
    }

    ImportSummary run(Path dump) throws SQLException, IOException, InterruptedException {
        try (ImportInput input = ImportInput.of(MongoDump.open(dump, DumpFilter.ALL))) {
            return importer(verify ? verifier(dump) : null).run(input);
        }
    }

    private static TableVerifier verifier(Path dump) throws IOException {
        return DumpDiff.verifier(DiffInput.of(List.of(dump.toString()), InputStream.nullInputStream(), DumpFilter.ALL));
    }

    /** Imports a dump through a connection that is lost before the answer to a commit, counted from 1; then it can be resumed. */
    void cutOff(Path dump, int commit) throws IOException {
        String direct = url;
        try (CutAtCommit proxy = new CutAtCommit(TestServer.port(), commit)) {
            url = direct.replaceFirst("//[^/]*/", "//127.0.0.1:" + proxy.port() + "/");
            assertThatThrownBy(() -> run(dump))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("--resume");
            assertThat(proxy.hasCut()).isTrue();
        } finally {
            url = direct;
        }
    }

    /** Imports a dump of one collection. */
    CollectionSummary one(Path dump) throws SQLException, IOException, InterruptedException {
        return run(dump).collections().get(0);
    }

    CollectionSummary one(String name, byte[] documents) throws SQLException, IOException, InterruptedException {
        return one(write(name, documents));
    }

    /** Imports documents from a stream, of which this much is buffered to find the type of the keys. */
    CollectionSummary stream(byte[] documents, int inMemory, int inFile)
            throws SQLException, IOException, InterruptedException {
        FirstPart first = FirstPart.of(new ByteArrayInputStream(documents), inMemory, inFile);
        try (ImportInput input = ImportInput.of(first, "standard input", DumpFilter.ALL)) {
            return importer().run(input).collections().get(0);
        }
    }

    /** {@code stress} with these arguments in a JVM of its own. */
    static ProcessBuilder stress(String heap, String... arguments) {
        return new ProcessBuilder(Child.command(heap, arguments)).redirectErrorStream(true);
    }
}
