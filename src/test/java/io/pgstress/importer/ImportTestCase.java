package io.pgstress.importer;

import io.pgstress.testing.TestServer;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A class of tests with a database of its own; each test imports from a directory of its own. */
abstract class ImportTestCase {
    static String url;

    @TempDir
    Path directory;

    Imports imports;

    /** The database has the name of the class. */
    @BeforeAll
    static void database(TestInfo info) {
        String name = info.getTestClass().orElseThrow().getSimpleName();
        url = TestServer.freshDatabase(name.toLowerCase(Locale.ROOT));
    }

    @BeforeEach
    void imports() {
        imports = new Imports(url, directory);
    }

    static long number(String sql) {
        return TestServer.number(url, sql);
    }

    static boolean exists(String table) {
        return TestServer.text(url, "select to_regclass('" + table + "') is not null")
                .equals("t");
    }

    static long count(String table) {
        return number("select count(*) from " + table);
    }
}
