package io.pgstress.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.dataset.CopyTable.CopyFill;
import io.pgstress.dataset.CopyTable.CopyMark;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

final class CopyTableTest {
    @Test
    void missingPrivilegeIsReportedWithTheCommandsThatGrantIt() throws SQLException {
        String url = TestServer.freshDatabase("copy_privileges");
        TestServer.table(url, "docs", 10);
        TestServer.execute(
                url,
                "create table docs_copy (like docs including all)",
                "drop role if exists copier",
                "create role copier login",
                "grant select on docs, docs_copy to copier");
        Connector connector =
                new Connector(Endpoint.parse(url.replaceFirst("user=[^&]*", "user=copier")), Login.of(""));
        try (Connection connection = connector.open(SessionPurpose.CONTROL)) {
            CopyTable copy =
                    new CopyTable(TableName.parse("docs"), KeyType.INT, Dialects.of(Dialects.AUTO, connection));

            assertThatThrownBy(() -> copy.reset(connection, CopyFill.ALL, "run1"))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("must be owner of table docs_copy; its owner must run: comment on table");

            TestServer.execute(url, CopyMark.sql(copy.name()));
            assertThatThrownBy(() -> copy.reset(connection, CopyFill.ALL, "run1"))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("permission denied for table docs_copy")
                    .hasMessageEndingWith("grant select, insert, delete, truncate on \"docs_copy\" to \"copier\"");

            TestServer.execute(url, "grant select, insert, delete, truncate on \"docs_copy\" to \"copier\"");
            copy.reset(connection, CopyFill.ALL, "run1");
            assertThat(TestServer.number(url, "select count(*) from docs_copy")).isEqualTo(10);
        } finally {
            TestServer.execute(url, "drop owned by copier", "drop role copier");
        }
    }

    @Test
    void copyOfAnEarlierTableIsMadeAnew() throws SQLException {
        String url = TestServer.freshDatabase("copy_types");
        TestServer.execute(
                url,
                "create table docs (_id text primary key, data jsonb not null)",
                "create table docs_copy (_id int primary key, data jsonb not null)",
                "insert into docs_copy values (1, '{}')");
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.CONTROL)) {
            CopyTable copy =
                    new CopyTable(TableName.parse("docs"), KeyType.TEXT, Dialects.of(Dialects.AUTO, connection));

            assertThatThrownBy(() -> copy.createFitting(connection))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith("table docs_copy exists and is not like docs: rename it");

            TestServer.execute(url, CopyMark.sql(copy.name()));
            copy.createFitting(connection);
            assertThat(TestServer.text(url, "select pg_typeof(_id) from docs_copy right join (select) on true"))
                    .isEqualTo("text");
        }
    }
}
