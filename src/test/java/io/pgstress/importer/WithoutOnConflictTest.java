package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.importer.progress.LoadedChunks;
import io.pgstress.importer.progress.ProgressTable;
import io.pgstress.importer.table.DuplicateMerge;
import io.pgstress.importer.table.TableRules.OnDuplicate;
import io.pgstress.plan.TableName;
import io.pgstress.testing.TestServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Imports into a server of version 9.4, which has no ON CONFLICT, have the same outcome. */
final class WithoutOnConflictTest {
    private static final TableName TABLE = TableName.parse("docs");
    private String url;

    @BeforeEach
    void makeTables() {
        url = TestServer.freshDatabase("without_on_conflict");
        TestServer.execute(
                url,
                "create table docs (_id int primary key, data text)",
                "create table more (_id int, data text)",
                "insert into docs values (1, 'old'), (2, 'old')",
                "insert into more values (2, 'new'), (3, 'new')");
    }

    private String afterMoving(boolean onConflict, OnDuplicate how) throws SQLException {
        try (Connection connection = TestServer.connector(url).openControl();
                Statement statement = connection.createStatement()) {
            long moved =
                    new DuplicateMerge("docs", "select _id, data from more", onConflict, true).move(statement, how);
            return moved + ": "
                    + TestServer.text(url, "select string_agg(_id || ' ' || data, ', ' order by _id) from docs");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void skipKeepsExistingRows(boolean onConflict) throws SQLException {
        assertThat(afterMoving(onConflict, OnDuplicate.SKIP)).isEqualTo("1: 1 old, 2 old, 3 new");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replaceOverwritesExistingRows(boolean onConflict) throws SQLException {
        assertThat(afterMoving(onConflict, OnDuplicate.REPLACE)).isEqualTo("2: 1 old, 2 new, 3 new");
    }

    /** Citus returns the number of rows selected. */
    @Test
    void countsInsertedRowsIfTheServerDoesNot() throws SQLException {
        try (Connection connection = TestServer.connector(url).openControl();
                Statement statement = connection.createStatement()) {
            Statement boasting = (Statement) Proxy.newProxyInstance(
                    Statement.class.getClassLoader(), new Class<?>[] {Statement.class}, (proxy, method, arguments) -> {
                        Object result = method.invoke(statement, arguments);
                        return method.getName().equals("executeLargeUpdate") ? (Object) 200L : result;
                    });
            String rows = "select _id, data from more";

            assertThat(new DuplicateMerge("docs", rows, true, false).move(boasting, OnDuplicate.SKIP))
                    .isEqualTo(1);
            assertThat(new DuplicateMerge("docs", rows, true, false).move(boasting, OnDuplicate.SKIP))
                    .isZero();
        }
    }

    @Test
    void entersAChunkOnce() throws SQLException {
        try (Connection connection = old(TestServer.connector(url).openControl())) {
            ProgressTable.create(connection);

            assertThat(LoadedChunks.enter(connection, TABLE, 0, 512, false)).isTrue();
            assertThat(LoadedChunks.enter(connection, TABLE, 0, 512, false)).isFalse();
            assertThat(LoadedChunks.enter(connection, TABLE, 512, 512, false)).isTrue();
        }
    }

    @Test
    void waitsForTheTransactionThatHasEnteredTheChunk() throws Exception {
        try (Connection first = old(TestServer.connector(url).openControl());
                Connection second = old(TestServer.connector(url).openControl())) {
            ProgressTable.create(first);
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            assertThat(LoadedChunks.enter(first, TABLE, 0, 512, false)).isTrue();

            CompletableFuture<Boolean> entered = CompletableFuture.supplyAsync(() -> {
                try {
                    return LoadedChunks.enter(second, TABLE, 0, 512, false);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            while (TestServer.number(url, "select count(*) from pg_locks where not granted") == 0) {
                Thread.onSpinWait();
            }
            first.commit();

            assertThat(entered.get()).isFalse();
            assertThat(LoadedChunks.isHalved(second, TABLE, 0, 512)).isFalse();
        }
    }

    /** A connection to a server that reports version 9.4. */
    private static Connection old(Connection real) throws SQLException {
        DatabaseMetaData metaData = proxy(DatabaseMetaData.class, real.getMetaData(), "getDatabaseMajorVersion", 9);
        DatabaseMetaData minor = proxy(DatabaseMetaData.class, metaData, "getDatabaseMinorVersion", 4);
        return proxy(Connection.class, real, "getMetaData", minor);
    }

    private static <T> T proxy(Class<T> type, T real, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, m, args) -> {
            if (m.getName().equals(method)) {
                return answer;
            }
            try {
                return m.invoke(real, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
