package io.pgstress.importer;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.ExtendedJson;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The sample dump inside the jar, for the embedded server. */
public final class BundledData {
    /** The table under load where none is named: small documents with int keys. */
    public static final TableName DEFAULT_TABLE = new TableName("", "check_in");

    private static final String ROOT = "/datasets/sample/";
    private static final List<String> FILES = List.of(
            "prelude.json.gz",
            "stress/check_in.bson.gz",
            "stress/check_in.metadata.json.gz",
            "stress/orders.bson.gz",
            "stress/orders.metadata.json.gz");

    private BundledData() {}

    /** Imports the sample where its table is missing; whether it did. */
    public static boolean importIfMissing(Connector connector, Dialect dialect)
            throws SQLException, IOException, InterruptedException {
        try (Connection connection = connector.openControl()) {
            if (TableColumns.exists(connection, DEFAULT_TABLE.copy())) {
                return false;
            }
        }
        Path directory = Files.createTempDirectory("pgstress-sample");
        try {
            unpack(directory);
            ImportOptions options = new ImportOptions(
                    JsonOptions.of(ExtendedJson.RELAXED),
                    null,
                    1,
                    true,
                    ImportOptions.IfExists.DROP,
                    ImportOptions.OnDuplicate.FAIL,
                    0,
                    false,
                    false,
                    false,
                    directory);
            try (MongoDump dump = MongoDump.open(directory, DumpFilter.ALL)) {
                new Importer(connector, dialect, options, ImportListener.NONE).run(dump);
            }
            return true;
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void unpack(Path directory) throws IOException {
        for (String name : FILES) {
            Path file = directory.resolve(name);
            Files.createDirectories(directory.resolve(name).getParent());
            try (InputStream in = BundledData.class.getResourceAsStream(ROOT + name)) {
                if (in == null) {
                    throw new IOException("the jar holds no " + ROOT + name);
                }
                Files.copy(in, file);
            }
        }
    }
}
