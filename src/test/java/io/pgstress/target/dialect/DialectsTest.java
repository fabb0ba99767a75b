package io.pgstress.target.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.testing.Implementations;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DialectsTest {
    private static final TableName TABLE = TableName.parse("public.check_in");

    @Test
    void everyDialectIsListed() {
        assertThat(Dialects.all().stream().map(Object::getClass))
                .as("a dialect without its line in Dialects")
                .containsExactlyInAnyOrderElementsOf(Implementations.of(Dialect.class));
    }

    @Test
    void versionTellsTheKindOfServer() throws SQLException {
        String url = TestServer.freshDatabase("versions");
        Map<String, String> kinds = Map.of(
                "PostgreSQL 9.4.26 (Greenplum Database 6.24.3 build commit:unknown) on x86_64-unknown-linux-gnu",
                        "greenplum",
                "PostgreSQL 14.4 (Apache Cloudberry 1.6.0 build 1) on x86_64-pc-linux-gnu", "greenplum",
                "PostgreSQL 10.1 (Postgres-XL 10r1.1) on x86_64-pc-linux-gnu", "postgres-xl",
                "PostgreSQL 15.20 on x86_64-pc-linux-gnu", "postgres");
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            statement.execute("set search_path = public, pg_catalog");
            for (Map.Entry<String, String> kind : kinds.entrySet()) {
                statement.execute("create or replace function version() returns text language sql as $$ select '"
                        + kind.getKey() + "'::text $$");
                assertThat(Dialects.of(Dialects.AUTO, connection).name()).isEqualTo(kind.getValue());
            }
        }
    }

    @Test
    void unknownServerIsToldWhichAreSupported() {
        String url = TestServer.freshDatabase("unknown_server");
        TestServer.execute(
                url,
                "create view pg_roles as select 1 as other",
                "alter database unknown_server set search_path = public, pg_catalog");

        assertThatThrownBy(() -> Target.open(Runs.spec("-t docs --url " + url)))
                .hasMessageEndingWith("(SQLSTATE 42703); " + Dialects.SUPPORTED);
    }

    @Test
    void greenplumDistributesTablesWhenTheyAreCreated() {
        Tables heap = new Greenplum().tables();
        Tables columns = new Greenplum()
                .with(new TableOptions(0, 0, "appendonly=true, orientation=column"))
                .tables();

        assertThat(heap.create(TABLE, KeyType.BIGINT, true))
                .containsExactly("create table \"public\".\"check_in\" (_id bigint primary key, data jsonb not null"
                        + " default '{}') distributed by (_id)");
        assertThat(columns.create(TABLE, KeyType.BIGINT, true))
                .as("append-only tables have no unique indexes")
                .containsExactly(
                        "create table \"public\".\"check_in\" (_id bigint, data jsonb not null default '{}') with"
                                + " (appendonly=true, orientation=column) distributed by (_id)",
                        "create index on \"public\".\"check_in\" (_id)");
        assertThat(heap.createDistributed("create table t (k int)", TableName.parse("t"), "k", 4))
                .containsExactly("create table t (k int) distributed by (k)");
        assertThatThrownBy(() -> new Greenplum().with(new TableOptions(4, 0, "")))
                .hasMessageContaining("leave out --shards");
    }
}
