package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.importer.table.DuplicateMerge;
import io.pgstress.importer.table.LoadedChunks;
import io.pgstress.importer.table.ProgressTables;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.TestServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DuplicateMergeTest {
    private static final TableName TABLE = TableName.parse("docs");
    private String url;

    @BeforeEach
    void makeTables() {
        url = TestServer.freshDatabase("duplicate_merge");
        TestServer.execute(
                url,
                "create table docs (_id int primary key, data text)",
                "create table more (_id int, data text)",
                "insert into docs values (1, 'old'), (2, 'old')",
                "insert into more values (2, 'new'), (3, 'new')");
    }

    /** Citus returns the number of rows selected. */
    @Test
    void countsInsertedRowsIfTheServerDoesNot() throws SQLException {
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            Statement boasting = (Statement) Proxy.newProxyInstance(
                    Statement.class.getClassLoader(), new Class<?>[] {Statement.class}, (proxy, method, arguments) -> {
                        Object result = method.invoke(statement, arguments);
                        return method.getName().equals("executeLargeUpdate") ? (Object) 200L : result;
                    });
            String rows = "select _id, data from more";

            assertThat(new DuplicateMerge("docs", rows, false).move(boasting, OnDuplicate.SKIP))
                    .isEqualTo(1);
            assertThat(new DuplicateMerge("docs", rows, false).move(boasting, OnDuplicate.SKIP))
                    .isZero();
        }
    }

    @Test
    void waitsForTheTransactionThatHasEnteredTheChunk() throws Exception {
        try (Connection first = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Connection second = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            ProgressTables progress = ProgressTables.in(first, "");
            progress.create(first);
            LoadedChunks chunks = progress.chunks();
            LoadedChunks.Part part = new LoadedChunks.Part(0, 512, 7);
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            assertThat(chunks.enter(first, TABLE, part, false)).isTrue();

            CompletableFuture<Boolean> entered = CompletableFuture.supplyAsync(() -> {
                try {
                    return chunks.enter(second, TABLE, part, false);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            while (TestServer.number(url, "select count(*) from pg_locks where not granted") == 0) {
                Thread.onSpinWait();
            }
            first.commit();

            assertThat(entered.get()).isFalse();
            assertThat(chunks.isHalved(second, TABLE, part)).isFalse();
        }
    }
}
