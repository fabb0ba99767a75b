package io.pgstress.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.dataset.KeyLoader.KeyProgress;
import io.pgstress.dataset.Table;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.statement.ClientStatements;
import io.pgstress.testing.TestServer;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The example operation in CONTRIBUTING.md, compiled from that page and run against a server. */
final class ContributingExampleTest {
    private static final Pattern CODE = Pattern.compile("```java\n(package .*?)```", Pattern.DOTALL);
    private static final int ROWS = 100;

    @TempDir
    private static Path files;

    private static OperationType type;
    private static String url;

    @BeforeAll
    static void compile() throws Exception {
        Matcher code = CODE.matcher(Files.readString(Path.of("CONTRIBUTING.md")));
        assertThat(code.find()).as("a class in CONTRIBUTING.md").isTrue();
        Path source = Files.writeString(files.resolve("FindPage.java"), code.group(1));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-d", files.toString(), "-proc:none", "-classpath", classPath());
            assertThat(compiler.getTask(null, manager, null, options, null, manager.getJavaFileObjects(source))
                            .call())
                    .as("compiles")
                    .isTrue();
        }
        // stays open because every test uses the class
        URLClassLoader loader =
                new URLClassLoader(new URL[] {files.toUri().toURL()}, ContributingExampleTest.class.getClassLoader());
        type = (OperationType) loader.loadClass("io.pgstress.operation.document.FindPage")
                .getField("TYPE")
                .get(null);
        url = TestServer.freshDatabase("contributing");
        TestServer.table(url, "docs", ROWS);
    }

    private static String classPath() throws URISyntaxException {
        Path main = Path.of(Operation.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return main + File.pathSeparator + System.getProperty("java.class.path");
    }

    private static Options options(String pageRows) {
        List<Option<?>> known = new ArrayList<>(type.options());
        known.add(RunOptions.TRANSACTION);
        Problems problems = new Problems();
        Options options = Options.read(known, Map.of("page-rows", List.of(pageRows)), Map.of(), problems);
        problems.throwIfAny();
        return options;
    }

    @ParameterizedTest
    @EnumSource
    void runsInEveryStatementModeAndUsesItsOption(StatementMode mode) throws Exception {
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            Dialect dialect = Dialects.of(Dialects.AUTO, connection);
            Table table = Table.read(connection, TableName.parse("docs"), dialect, 0, 1, KeyProgress.NONE);
            Operation operation = type.factory().create(new OperationType.Context(table, dialect, options("1"), 1, 1));
            ClientStatements session =
                    new ClientStatements(mode, List.of(operation.statements(0)), 0, (o, s, nanos, rows, fetch) -> {});
            session.attach(connection);
            ClientOperation client = operation.forClient(new Operation.ClientSeat(0, session, 0, 1, 1));
            for (int i = 0; i < 20; i++) {
                assertThat(client.draw()).isTrue();
                assertThat(client.execute()).isEqualTo(Ending.OK);
                assertThat(client.rows()).as("rows of a page of one").isOne();
            }
            session.detach();
        }
    }

    @Test
    void refusesAnInvalidValueOfItsOption() {
        assertThatThrownBy(() -> options("0")).hasMessageContaining("page-rows");
    }

    @Test
    void pageNamesTheRegistry() throws IOException {
        assertThat(Files.readString(Path.of("CONTRIBUTING.md")))
                .contains("`operation/workload/Operations.java`: `FindPage.TYPE,`");
        assertThat(Path.of("src/main/java/io/pgstress/operation/workload/Operations.java"))
                .exists();
    }
}
